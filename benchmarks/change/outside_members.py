"""Names that objects from outside of a repository are called by: python benchmarks/change/outside_members.py CHECKOUT… > FILE

A name counts if at least two of the repositories call it as a member and define nothing of that name, or if the library that
comes with Python, Ruby, PHP, JavaScript or Java has it. It is written as `outside_members.txt` has it: in lower case, without
underscores, so that one list serves all languages.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from crimes.analyses.change.outside_members import as_listed
from crimes.analyses.change.state import State, last_word, words_of
from crimes.workflows.session import Session

MIN_REPOSITORIES = 2
MIN_NAME_CHARS = 5  # shorter ones are never evidence
_RUBY = """
%w[set json date time uri pathname stringio tempfile fileutils optparse erb yaml csv net/http open3 logger ostruct socket].each { |n|
  begin; require n; rescue LoadError; end }
names = ObjectSpace.each_object(Module).flat_map { |m| m.instance_methods(false) + m.singleton_methods(false) }
puts names.uniq
"""
_PHP = "foreach (array_merge(get_declared_classes(), get_declared_interfaces()) as $c) foreach (get_class_methods($c) as $m) echo $m, PHP_EOL;"
_NODE = """
const seen = new Set(), names = new Set();
const visit = (value, depth) => {
  if (value === null || !['object', 'function'].includes(typeof value) || seen.has(value) || depth > 4) return;
  seen.add(value);
  for (const key of Object.getOwnPropertyNames(value)) {
    names.add(key);
    visit(Object.getOwnPropertyDescriptor(value, key).value ?? null, depth + 1);
  }
};
visit(globalThis, 0);
for (const name of require('module').builtinModules) try { visit(require(name), 1); } catch {}
console.log([...names].filter((name) => /^[a-zA-Z]/.test(name)).join(' '));
"""
_JAVA = """
import java.net.URI; import java.nio.file.*;
public class Names {
  public static void main(String[] args) throws Exception {
    Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base/java");
    try (var files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = root.getParent().relativize(file).toString();
        if (!name.endsWith(".class")) continue;
        Class<?> type = Class.forName(name.substring(0, name.length() - 6).replace('/', '.'), false, null);
        for (var method : type.getMethods()) System.out.println(method.getName());
      }
    }
  }
}
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("checkouts", nargs="+", type=Path)
    library = {
        as_listed(name) for name in (*names_of_python(), *names_of_runtimes()) if len(name) >= MIN_NAME_CHARS
    }
    repositories = Counter[str]()
    for checkout in parser.parse_args().checkouts:
        names = names_from_outside(checkout)
        repositories.update(names)
        print(f"{checkout.name}: {len(names)} names", file=sys.stderr)
    called = {name for name, times in repositories.items() if times >= MIN_REPOSITORIES}
    print("\n".join(sorted(name for name in called | library if name.isidentifier())))


def names_of_python() -> set[str]:
    """Public attributes of the classes that come with Python."""
    names: set[str] = set()
    warnings.simplefilter("ignore")
    for module_name in sorted(sys.stdlib_module_names - {"antigravity", "this", "idlelib", "turtledemo"}):
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            continue
        for value in vars(module).values():
            if isinstance(value, type):
                names.update(dir(value))
    return {name for name in names if not name.startswith("_")}


def names_of_runtimes() -> set[str]:
    """Methods that come with other languages, as their runtimes list them."""
    with tempfile.TemporaryDirectory() as folder:
        java = Path(folder) / "Names.java"
        java.write_text(_JAVA, "utf-8")
        commands = (["ruby", "-e", _RUBY], ["php", "-r", _PHP], ["node", "-e", _NODE], ["java", str(java)])
        listed = [
            subprocess.run(command, check=True, capture_output=True, text=True).stdout for command in commands
        ]
    return {name.rstrip("?!=") for text in listed for name in text.split()}


def names_from_outside(checkout: Path) -> set[str]:
    """The names that a repository calls as members and does not define."""
    session = Session(checkout)
    with session.change_states(session.config(), "HEAD", "", ()) as states:
        return _called(states.after) - _defined(states.after)


def _called(state: State) -> set[str]:
    return {
        as_listed(words[-1])
        for file in state.files.values()
        for call in file.facts.calls
        if len(words := words_of(call.target)) > 1 and len(words[-1]) >= MIN_NAME_CHARS
    }


def _defined(state: State) -> set[str]:
    defined: set[str] = set()
    for file in state.files.values():
        defined.update(as_listed(function.name) for function in file.facts.functions)
        defined.update(as_listed(last_word(name)) for name in file.facts.definitions)
    return defined


if __name__ == "__main__":
    main()
