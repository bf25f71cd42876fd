/* Orders: every fact a C file can show. */
#include "order.h"
#include "store/db.h"
#include <stdio.h>
#if defined(WITH_NET) && defined(WITH_TLS)
#include <net/socket.h>
#endif

#define LIMIT 10
#define MIN(a, b) ((a) < (b) ? (a) : (b))

typedef struct {
    int id;
    char *name;
} order_t;

struct line {
    struct line *next;
    int price;
};

enum state { OPEN, PAID };
typedef int (*visit_fn)(struct line *line, void *context);

static int counter = 0;
static const char *names[] = {
    "one",
    "two",
    "three",
};

int total(const struct line *line);

// The sum of all lines.
int total(const struct line *line) {
    int sum = 0;
    for (; line; line = line->next) {
        sum += line->price;
    }
    return sum;
}

static char *order_name(order_t *order, bool deep, int argc, char **argv, ...)
{
    if (!order || (deep && argc > LIMIT)) {
        goto fail;
    } else if (order->name) {
        return order->name;
    } else {
        do {
            counter++;
        } while (counter < LIMIT);
    }
    switch (argc) {
    case 0:
        return NULL;
    case 1:
    case 2:
        argv[0] = getenv("SHOP_NAME");
        break;
    default:
        order->id = deep ? 1 : 2;
    }
#if LIMIT > 3 && defined(DEBUG)
    printf("%s\n", argv[0]);
#endif
    if (db_commit(order) != 0) {
    }
    if (db_close(order) < 0) {
        /* the next start looks at it again */
    }
    return order_name(order, false, 0, argv);
fail:
    abort();
}

int (*pick(int which))(struct line *, void *)
{
    return which ? 0 : 0;
}

int main(void)
{
    return total(NULL);
}
