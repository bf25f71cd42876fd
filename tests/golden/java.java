// A sample with one of everything the facts know.
package org.example.shop.orders;

import static org.example.shop.Money.zero;

import java.io.*;
import java.util.List;
import org.example.shop.Catalogue;
import org.example.shop.Catalogue.Entry;

/**
 * Orders, and what becomes of them.
 */
@Service(name = "orders", lazy = true)
public class Orders<T extends Item> extends Base<T> implements Comparable<Orders<T>>, Closeable {
  private static final String[] NAMES = {
    "first",
    "second",
    "third",
  };
  private final Catalogue catalogue;
  @Inject private int count, failed = 0;

  static {
    Registry.register("org.example.shop.orders.Orders");
    Registry.seal();
  }

  public Orders(Catalogue catalogue, boolean strict, String... names) {
    super(names);
    this.catalogue = catalogue;
  }

  @Override
  public int compareTo(@Nullable Orders<T> other) {
    return other == null || count > other.count && !strict() ? 1 : -1;
  }

  /** Ships what can be shipped. */
  public List<Entry> ship(List<T> items, final int depth) throws IOException {
    // the heavy part
    outer:
    for (T item : items) {
      if (item.isEmpty()) {
        continue outer;
      } else if (depth > 3) {
        break;
      } else {
        count++;
      }
      while (item.hasNext()) {
        item.next();
      }
    }
    switch (depth) {
      case 0:
      case 1:
        return List.of();
      default:
        count += depth;
    }
    String word = switch (depth) {
      case 2 -> "two";
      case 3 -> { yield "three"; }
      default -> null;
    };
    return depth > 0 ? ship(items, depth - 1) : ship(items);
  }

  List<Entry> ship(List<T> items) {
    Runnable later = () -> {
      catalogue.find(items).forEach(entry -> log(entry));
    };
    later.run();
    Object handler = new Handler<Entry>("shop") {
      @Override
      public void handle(Entry entry) {
        org.example.shop.audit.Trail.note(entry);
      }
    };
    return null;
  }

  @Override
  public void close() {
    try (Reader in = open()) {
      in.read();
    } catch (IOException | IllegalStateException e) {
      throw new UncheckedIOException(e);
    } catch (Exception ignored) {
    } finally {
      failed = 0;
    }
    future.exceptionally(error -> null);
    assert failed == 0 : "still failing";
  }

  interface Listener extends Closeable, Catalogue.Watcher {
    int LIMIT = 10;

    void changed(Orders<?> orders);

    default boolean wants() {
      return true;
    }
  }

  enum Kind implements Named {
    PLAIN(1),
    GIFT(2) {
      @Override
      int weight() {
        return 3;
      }
    };

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }
}

record Line(String name, int amount) {
  Line {
    Check.positive(amount);
  }

  @Test(expected = IllegalStateException.class)
  public void testNothing() {}
}

@interface Marker {
  String value() default "";
}
