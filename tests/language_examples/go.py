"""The detectors for any language, in Go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crimes.detection.detector import Example
from crimes.model.severity import Severity
from tests.language_examples.shared import SMALL_LIMITS, changes, hotspot

_MOD = {"go.mod": "module example.com/shop\n"}

_ROUTE = """package route

const Limit = {n}

func Pick(order *Order, rules []*Rule) *Rule {{
	for _, rule := range rules {{
		if rule.Active {{
			for _, step := range rule.Steps {{
				if step.Allowed && order.User != nil || step.Open {{
					if step.Until > 0 && step.Until < order.Time {{
						continue
					}} else if step.Once {{
						return rule
					}} else {{
						for step.Parent != nil {{
							if step.Parent.Blocked {{
								return nil
							}}
						}}
					}}
				}}
			}}
		}}
	}}
	return nil
}}
"""

_FLAT = """package words

func Word(number int) string {
	switch number {
	case 1:
		return "one"
	case 2:
		return "two"
	default:
		return "many"
	}
}
"""

_CORE = """package core

func Load(key string) string {
	if key != "" {
		return key
	}
	return ""
}

func Save(key string) string {
	return Load(key)
}
"""


def _user(package: str, body: str) -> str:
    return (
        f'package {package}\n\nimport "example.com/shop/core"\n\nfunc Run() string {{\n\treturn {body}\n}}\n'
    )


_USERS = {
    **_MOD,
    "core/core.go": _CORE,
    "core/limits.go": "package core\n\nconst Limit = 3\n",
    "a/a.go": _user("a", 'core.Load("a")'),
    "b/b.go": _user("b", 'core.Save("b")'),
    "c/c.go": 'package c\n\nimport "example.com/shop/a"\n\nfunc Run() string {\n\treturn a.Run()\n}\n',
}

_QUIET = {f"quiet/m{n}/m.go": f"package m{n}\n\nfunc F() int {{\n\treturn 1\n}}\n" for n in range(10)}


_SAVE = "func save(key string) error {\n\treturn os.WriteFile(key, nil, 0o600)\n}\n"

EXAMPLES: Mapping[str, Sequence[Example]] = {
    "god_function": [
        Example(
            "loops and conditions inside each other",
            {**_MOD, "route/route.go": _ROUTE.format(n=1)},
            ("route/route.go:5",),
            options={"max_cognitive": 20},
        ),
        Example("silent on a flat switch", {**_MOD, "words/words.go": _FLAT}),
        Example(
            "silent on a test's table",
            {**_MOD, "route/route_test.go": _ROUTE.format(n=1)},
            options={"max_cognitive": 20},
        ),
    ],
    "load_bearing_file": [
        Example("two packages use it, a third reaches it", _USERS, ("core/core.go:1",), options=SMALL_LIMITS),
        Example(
            "files of its own package use it without an import",
            {
                **_MOD,
                "core/core.go": _CORE,
                "core/a.go": 'package core\n\nfunc a() string {\n\treturn Load("a")\n}\n',
                "core/b.go": "package core\n\nvar b = Save\n",
                "core/c.go": "package core\n\nfunc c() string {\n\treturn a()\n}\n",
            },
            ("core/core.go:1",),
            options=SMALL_LIMITS,
        ),
        Example(
            "silent on a file of the package that nobody names",
            {**_USERS, "core/core.go": 'package core\n\nfunc Load(string) string {\n\treturn ""\n}\n'},
            options=SMALL_LIMITS,
        ),
    ],
    "hidden_coupling": [
        Example(
            "two packages that change together and share nothing",
            {
                **_MOD,
                "a/a.go": "package a\n\nconst Version = 9\n",
                "b/b.go": "package b\n\nconst Version = 9\n",
            },
            ("a/a.go:1",),
            history=changes(("a/a.go", "b/b.go"), "package a\n\nconst Version = {n}\n"),
        ),
        Example(
            "silent on files of one package that use each other",
            {
                **_MOD,
                "a/a.go": "package a\n\nconst version = 9\n",
                "a/b.go": "package a\n\nvar shown = version + 9\n",
            },
            history=changes(("a/a.go", "a/b.go"), "package a\n\nconst version = {n}\n"),
        ),
    ],
    "silent_failure": [
        Example(
            "success is returned in place of an error",
            {
                **_MOD,
                "store/store.go": "package store\n\nfunc Put(key string) error {\n"
                "\tif err := backend.Write(key); err != nil {\n\t\treturn nil\n\t}\n\treturn nil\n}\n",
            },
            ("store/store.go:4",),
            severity=Severity.HIGH,
        ),
        Example(
            "an error value that is thrown away",
            {
                **_MOD,
                "store/store.go": f"package store\n\n{_SAVE}",
                "store/put.go": "package store\n\nfunc Put(key string) {\n\t_ = save(key)\n}\n",
            },
            ("store/put.go:4",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a failure that is only logged before its result is used",
            {
                **_MOD,
                "shop/shop.go": "package shop\n\nfunc Price(client Client) int {\n\trate, err := client.Rate()\n"
                "\tif err != nil {\n\t\tlog.Print(err)\n\t}\n\treturn rate.Cents\n}\n",
            },
            ("shop/shop.go:5",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "silent when the other branch uses the result, or the program ends",
            {
                **_MOD,
                "shop/shop.go": "package shop\n\nfunc Price(client Client) int {\n\trate, err := client.Rate()\n"
                "\tif err != nil {\n\t\tlog.Print(err)\n\t} else {\n\t\treturn rate.Cents\n\t}\n\treturn 0\n}\n\n"
                "func Fee(client Client) int {\n\trate, err := client.Rate()\n"
                "\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\treturn rate.Fee\n}\n",
            },
        ),
        Example(
            "silent when the log says why it goes on, and on a probe",
            {
                **_MOD,
                "shop/shop.go": "package shop\n\nfunc Sync(client Client) error {\n\tif err := client.Pull(); err != nil {\n"
                '\t\tlog.Print("no server, skipped", err)\n\t\treturn nil\n\t}\n\treturn nil\n}\n\n'
                "func Load(path string) error {\n\t_, err := os.Stat(path)\n\tif err != nil {\n\t\treturn nil\n\t}\n"
                "\treturn read(path)\n}\n",
            },
        ),
        Example(
            "silent when the error is returned, wrapped or logged",
            {
                **_MOD,
                "store/store.go": "package store\n\nfunc Put(key string) error {\n\terr := backend.Write(key)\n"
                '\tif err != nil {\n\t\treturn fmt.Errorf("put: %w", err)\n\t}\n'
                "\tif err := backend.Sync(key); err != nil {\n\t\tlog.Print(err)\n\t}\n\treturn nil\n}\n",
            },
        ),
        Example(
            "silent when the error is a named result, or looked at after the loop",
            {
                **_MOD,
                "store/store.go": "package store\n\nfunc Put(key string) (err error) {\n"
                "\tif err = backend.Write(key); err != nil {\n\t\treturn\n\t}\n\treturn nil\n}\n\n"
                "func All(keys []string) error {\n\tvar err error\n\tfor _, key := range keys {\n"
                "\t\tif err = backend.Write(key); err != nil {\n\t\t\tbreak\n\t\t}\n\t}\n\treturn err\n}\n",
            },
        ),
        Example(
            "silent on one expected error, on cleanup, on numbers, and on functions without an error",
            {
                **_MOD,
                "store/store.go": "package store\n\nfunc Drop(key string) error {\n"
                "\tif err := backend.Remove(key); errors.Is(err, ErrMissing) {\n\t\treturn nil\n\t}\n"
                "\t_ = backend.Close()\n\t_ = count(key)\n\tfor _, name := range names() {\n"
                "\t\tn, err := strconv.Atoi(name)\n\t\tif err != nil {\n\t\t\tcontinue\n\t\t}\n\t\tuse(n)\n\t}\n"
                "\treturn nil\n}\n\nfunc count(key string) int {\n\treturn 1\n}\n",
            },
        ),
    ],
    "hollow_test": [
        Example(
            "tests that call and look at nothing, inside the package and outside it",
            {
                **_MOD,
                "cart/cart.go": "package cart\n\nfunc Total(items []int) int {\n\treturn len(items)\n}\n",
                "cart/cart_test.go": "package cart\n\nfunc TestTotal(t *testing.T) {\n\tt.Parallel()\n"
                "\tTotal([]int{1})\n}\n",
                "cart/outer_test.go": 'package cart_test\n\nimport "example.com/shop/cart"\n\n'
                "func TestSum(t *testing.T) {\n\tcart.Total([]int{1})\n}\n",
            },
            ("cart/cart_test.go:3", "cart/outer_test.go:5"),
            options={"calls_only": True},
        ),
        Example(
            "a subtest among real ones",
            {
                **_MOD,
                "cart/cart.go": "package cart\n\nfunc Total(items []int) int {\n\treturn len(items)\n}\n",
                "cart/cart_test.go": 'package cart\n\nfunc TestTotal(t *testing.T) {\n\tt.Run("one", func(t *testing.T) {\n'
                '\t\tTotal([]int{1})\n\t})\n\tt.Run("two", func(t *testing.T) {\n'
                "\t\trequire.Equal(t, 2, Total([]int{1, 2}))\n\t})\n}\n",
            },
            ("cart/cart_test.go:4",),
            options={"calls_only": True},
        ),
        Example(
            "silent on plain comparisons, testify, gomega, cmp and a helper that fails the test",
            {
                **_MOD,
                "cart/cart.go": "package cart\n\nfunc Total(items []int) int {\n\treturn len(items)\n}\n",
                "cart/help_test.go": "package cart\n\nfunc same(t *testing.T, a, b int) {\n\tt.Helper()\n"
                '\tif a != b {\n\t\tt.Fatalf("%d", a)\n\t}\n}\n',
                "cart/cart_test.go": "package cart\n\nfunc TestA(t *testing.T) {\n\tif Total(nil) != 0 {\n"
                '\t\tt.Error("wrong")\n\t}\n}\n\nfunc TestB(t *testing.T) {\n\tassert.Equal(t, 0, Total(nil))\n}\n\n'
                "func TestC(t *testing.T) {\n\tExpect(Total(nil)).To(Equal(0))\n}\n\n"
                "func TestD(t *testing.T) {\n\tsame(t, 0, Total(nil))\n}\n\n"
                'func TestE(t *testing.T) {\n\tif d := cmp.Diff(0, Total(nil)); d != "" {\n\t\tt.Fatal(d)\n\t}\n}\n\n'
                "func (s *CartSuite) TestF() {\n\ts.Zero(Total(nil))\n}\n",
            },
            options={"calls_only": True},
        ),
    ],
    "untested_hotspot": [
        hotspot(
            "a complex file that changes often", "route/route.go", _ROUTE, {**_MOD, **_QUIET}, reported=True
        ),
        hotspot(
            "silent when a test of its own package is beside it",
            "route/route.go",
            _ROUTE,
            {
                **_MOD,
                **_QUIET,
                "route/all_test.go": "package route\n\nfunc TestAll(t *testing.T) {\n\trunTable(t)\n}\n",
            },
        ),
        hotspot(
            "silent when a test of its own package calls it",
            "route/route.go",
            _ROUTE,
            {
                **_MOD,
                **_QUIET,
                "route/rules_test.go": "package route\n\nfunc TestRules(t *testing.T) {\n"
                '\tif Pick(nil, nil) != nil {\n\t\tt.Error("x")\n\t}\n}\n',
            },
        ),
    ],
    "import_cycle": [
        Example(
            "silent on files of one package that need each other",
            {
                **_MOD,
                "shop/a.go": "package shop\n\nfunc A() {\n\tB()\n}\n",
                "shop/b.go": "package shop\n\nfunc B() {\n\tA()\n}\n",
            },
        )
    ],
}
