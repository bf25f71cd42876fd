"""Python code with and without findings, for repositories in tests."""

from __future__ import annotations

PLAIN = "def plain(a):\n    return a\n\n\n"

# A function that god_function reports as of low severity: a long one with a little less complexity than others.
TANGLED = (
    "def tangled(a):\n"
    + "".join(
        f"{'    ' * depth}if a > {depth}:\n{'    ' * (depth + 1)}a += {depth}\n" for depth in range(1, 11)
    )
    + "".join(f"    a.note({number})\n" for number in range(100))
)

# A function that god_function reports as of medium severity.
LOOPING = "def tangled(a, b, c):\n" + "".join(
    f"    for x in b:\n        if x and c:\n            c += {n}\n            while c > {n}:\n                if c % 2:\n                    c -= x\n"
    for n in range(16)
)

# Long enough for cloned_logic to report two copies that nobody edited.
CLONED = """def weighed(parcels, limit, tariff):
    heavy = 0
    for parcel in parcels:
        if parcel.lost or parcel.owner is None:
            continue
        weight = parcel.width * parcel.depth * parcel.height
        if parcel.wrapped and parcel.wrapping.weight > tariff.least:
            weight = weight + parcel.wrapping.weight
        for item in parcel.items:
            if item.counted(tariff):
                weight = weight + item.weight * item.amount
        heavy = heavy + weight
        if heavy > limit:
            raise ValueError("too heavy: " + str(heavy))
    lorries = [[]]
    for parcel in sorted(parcels, key=by_weight):
        if fits(lorries[-1], parcel):
            lorries[-1].append(parcel)
        else:
            lorries.append([parcel])
    while len(lorries) > tariff.most:
        first, second = lightest(lorries), nearest(lorries)
        lorries.remove(second)
        first.extend(second)
    try:
        bill = tariff.price(heavy, len(lorries))
    except LookupError as fault:
        bill = tariff.fallback
        log.warning("no price", exc_info=fault)
    if bill.paid:
        archive(bill, lorries)
    elif bill.due < today():
        remind(bill.owner, days=3)
    with ledger.opened(tariff.year) as book:
        book.add(bill)
        book.sign(name, at=now())
    for lorry in lorries:
        route = shortest(lorry, depot)
        if route is None:
            waiting.extend(lorry)
            continue
        for stop in route.stops:
            if stop.closed and stop.next:
                stop = stop.next
            elif stop.closed:
                raise LookupError("no stop: " + str(stop))
            stop.expect(lorry, route.hour)
        driver = free_driver(route.hour, len(route.stops))
        if driver.tired:
            driver = second_driver(driver)
        roster.add(driver, route)
    if waiting:
        tell(depot, waiting)
    return heavy


"""


def tangled(name: str) -> str:
    """A function that god_function reports."""
    rows = (
        f"{'    ' * depth}if a > {depth}:\n{'    ' * (depth + 1)}a += {depth}\n" for depth in range(1, 12)
    )
    return f"def {name}(a):\n{''.join(rows)}    return a\n\n\n"
