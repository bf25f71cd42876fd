// A sample with one of everything the facts know.
@file:JvmName("OrderTools")

package org.example.shop.orders

import java.io.IOException
import org.example.shop.Catalogue
import org.example.shop.Catalogue.Companion.open
import org.example.shop.money.*
import org.example.shop.zero as nothing

const val LIMIT = 10
private val names: List<String> by lazy { readNames() }

typealias Lines = Map<String, Line>

/** Orders, and what becomes of them. */
@Service(name = "orders")
class Orders<T : Item>(
    private val catalogue: Catalogue,
    val strict: Boolean = false,
    vararg tags: String,
) : Base<T>(catalogue), Comparable<Orders<T>> by catalogue, Closeable {
    private var count = 0
    var failed: Int = 0
        private set

    init {
        Registry.register("org.example.shop.orders.Orders")
    }

    constructor(path: String) : this(open(path)) {
        count = 1
    }

    override fun compareTo(other: Orders<T>): Int =
        if (other.count > count && strict || failed > 0) 1 else -1

    /** Ships what can be shipped. */
    suspend fun ship(items: List<T>, depth: Int, vararg flags: Boolean): List<Line> {
        outer@ for (item in items) {
            if (item.isEmpty()) {
                continue@outer
            } else if (depth > 3) {
                break
            } else {
                count++
            }
            while (item.hasNext()) item.next()
        }
        val word = when (depth) {
            0, 1 -> "few"
            in 2..5 -> return emptyList()
            else -> null
        }
        return withContext(Dispatchers.IO) {
            items.map { it.line() }
                .filter { line -> line.total > LIMIT }
            ship(items, depth - 1)
        }
    }

    override fun close() {
        try {
            catalogue.close()
        } catch (e: IOException) {
            throw IllegalStateException(e)
        } finally {
            failed = 0
        }
        val total = try { count() } catch (ignored: Exception) { null }
        for (name in names) {
            try { send(name) } catch (e: Exception) { continue }
        }
        names.forEach {
            if (it.isBlank()) return@forEach
        }
        val listener = object : Listener {
            override fun changed() = org.example.shop.audit.Trail.note(count)
        }
    }

    companion object {
        fun of(path: String): Orders<Item> = Orders(path)
    }

    enum class Kind(val weight: Int) : Named {
        PLAIN(1),
        GIFT(2);

        abstract fun label(): String
    }
}

sealed interface Event {
    data class Shipped(val line: Line) : Event

    data object Lost : Event
}

fun String.shout(loud: Boolean = true): String = if (loud) uppercase() else this

val Orders<*>.size: Int
    get() {
        return lines().size
    }

@Target(AnnotationTarget.CLASS)
annotation class Marker

class OrdersTest {
    @Test
    fun `ships nothing`() {
        Orders("x").ship(listOf(), 0) shouldBe nothing
        assertFailsWith<IOException> {
            Orders("y")
        }
    }
}
