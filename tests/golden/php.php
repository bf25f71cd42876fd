<?php

declare(strict_types=1);

namespace App\Mail;

use App\Entity\User as Member;
use App\Queue\{Job, Worker\Pool as Workers};
use function App\format;
use const App\LIMIT;

require_once __DIR__ . '/boot.php';
include 'views/head.phtml';
require $dynamic;

/** Sends letters. */
#[Service(name: 'mailer')]
final class Mailer extends Base implements Sender, \Countable
{
    use Logs;

    private ?Client $client = null;
    protected array $sent = [];

    public function __construct(private readonly Clock $clock, bool $dry = false, string ...$rest)
    {
        $this->client = Client::create(getenv('MAIL_HOST'));
    }

    public function send(?Member $to, array $options = []): ?bool
    {
        if ($to === null && !$options || $this->client->down()) {
            return null;
        } elseif (isset($options['later'])) {
            $this->sent['later'] = $to;
        } else if ($to->blocked()) {
            return false;
        } else {
            self::count();
        }
        foreach ($options as $key => $value) {
            if ($value) {
                continue 2;
            }
        }
        try {
            $this->client->send($to);
        } catch (HttpException | \RuntimeException $error) {
            // nothing to do
        } catch (\Throwable $error) {
            throw new MailError('failed', 0, $error);
        } finally {
            $this->client->close();
        }
        $kind = match (true) {
            $to->old() => 'old',
            default => 'new',
        };
        switch ($kind) {
            case 'old':
                break;
            default:
                return $this->send($to);
        }
        return array_map(fn ($one) => $one ?? 1, $options) ? true : false;
    }

    public static function count(): int { return LIMIT; }
}

enum Suit: string
{
    case Hearts = 'H';
}

function helper(Job $job)
{
    $done = function ($row) use ($job) {
        $job->rows[] = $row;
        return new Workers($row);
    };
    return [$done, 1];
}

$table = ['a' => 1, 'b' => 'App\Mail\Mailer'];
it('sends', function () {
    expect((new Mailer())->send(null))->toBeNull();
});
