// Sends letters.
global using System.Linq;
using System;
using static System.Math;
using Json = System.Text.Json.JsonSerializer;
using Shop.Core;

namespace Shop.Mail
{
    /// <summary>One mailer.</summary>
    [Service("mail"), Obsolete]
    public sealed partial class Mailer<T> : Base<T>, ISender, IDisposable where T : class
    {
        private readonly IClient _client;
        private const int Max = 3;
        public int Count { get; private set; } = 0;
        public string Name => _name ?? "none";

        public Mailer(IClient client, bool dry = false, params string[] rest) : base(client)
        {
            _client = client;
            this.Host = Environment.GetEnvironmentVariable("MAIL_HOST");
        }

        [Fact]
        public async Task<bool?> SendAsync(User? to, Dictionary<string, int> options)
        {
            if (to == null && options.Count > 0 || Max > 2)
            {
                return null;
            }
            else if (to.Blocked)
            {
                return false;
            }
            else
            {
                Core.Log.Write(to);
            }
            foreach (var (key, value) in options)
            {
                this.Items[key] = value;
                continue;
            }
            try
            {
                await _client.SendAsync(to);
            }
            catch (HttpException e) when (e.Code == 3)
            {
            }
            catch (Exception e)
            {
                throw new MailError("failed", e);
            }
            catch
            {
                return default;
            }
            finally
            {
                _client.Dispose();
            }
            switch (Max)
            {
                case 1:
                case 2:
                    break;
                default:
                    return false;
            }
            var kind = Max switch { 1 => "a", > 2 => "b", _ => "c" };
            Func<int, int> half = x => x > 1 ? x / 2 : 0;
            void Local(int z)
            {
                z++;
            }
            lock (this)
            {
                goto end;
            }
        end:
            return options.Where(o =>
            {
                return o.Value > 1;
            }).Any();
        }

        public int this[int i]
        {
            get { if (i > 0) return 1; return 2; }
            set { _client.Set(value); }
        }
    }

    public record Point(int X, int Y);

    public enum Suit { Hearts, Spades }

    internal interface ISender { void Go(); }
}
