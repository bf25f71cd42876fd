// A sample with one of everything the facts know.
package org.example
package shop

import java.io.IOException
import org.example.money.{Price, Rate => TaxRate, _}
import scala.util.control.NonFatal
import Catalogue._

/** Orders, and what becomes of them. */
@deprecated("use Carts", since = "2.0")
class Orders[T <: Item](catalogue: Catalogue[T], val strict: Boolean = false)(implicit clock: Clock)
    extends Base[T](catalogue)
    with Comparable[Orders[T]]
    with Closeable {
  private var count = 0
  lazy val names: List[String] = load("org.example.shop.Names")

  def this(path: String) = this(open(path))

  override def compareTo(other: Orders[T]): Int =
    if (other.count > count && strict || count > 3) 1 else -1

  /** Ships what can be shipped. */
  def ship(items: List[T], depth: Int, urgent: Boolean = true): List[Line] = {
    for (item <- items if item.ready) {
      if (item.isEmpty) {
        count += 1
      } else if (depth > 3) {
        return Nil
      } else {
        while (item.hasNext) item.next()
      }
    }
    val word = depth match {
      case 0 | 1 => "few"
      case n if n > 9 => "many"
      case _ => s"some ${depth.toString}"
    }
    items.foreach { item =>
      log(item)
      log(word)
    }
    items.collect { case Ready(line) => line }
    ship(items, depth - 1, urgent)
  }

  override def close(): Unit = {
    try {
      catalogue.close()
    } catch {
      case e: IOException => throw new IllegalStateException(e)
      case NonFatal(e) => log(e)
      case _: Exception => None
    } finally {
      count = 0
    }
    val total = try count() catch { case _: Throwable => 0 }
    val listener = new Listener[T] {
      override def changed(): Unit = org.example.audit.Trail.note(count)
    }
  }

  def size: Int

  private type Lines = Map[String, Line]
}

object Orders extends Factory {
  implicit val ordering: Ordering[Orders[Item]] = Ordering.by(_.size)

  case class Line(name: String, amount: Int)
}

sealed trait Event
case object Lost extends Event

package object tools {
  def shout(word: String) = word.toUpperCase
  val Limit = 10
}

enum Kind(val weight: Int) extends Named:
  case Plain extends Kind(1)
  case Gift extends Kind(2)

given orders: Show[Kind] with
  def show(kind: Kind): String =
    kind.toString

class OrdersSuite extends AnyFlatSpec {
  "an order" should "ship nothing" in {
    Orders("x").ship(Nil, 0) shouldBe Nil
  }

  test("ships") {
    assertThrows[IOException] {
      Orders("y")
    }
  }
}
