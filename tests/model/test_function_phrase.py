"""How facts name functions, also those without a name."""

from __future__ import annotations

import pytest

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.model.function_phrase import function_phrase, function_subject

CODE = b"""class Router {
  start(app) {
    app.get("/users", (request) => {
      return request;
    });
    app.each((item) => {
      return item;
    });
    return [(item) => {
      return item;
    }];
  }
}
app.each((item) => {
  return item;
});
"""


@pytest.mark.parametrize(
    ("line", "phrase"),
    [
        (2, "`Router.start`"),
        (3, "the callback passed to `get('/users')` in `Router.start`"),
        (6, "the callback passed to `each` in `Router.start`"),
        (9, "an anonymous function in `Router.start`"),
        (14, "the callback passed to `each`"),
    ],
)
def test_a_function_without_a_name_is_named_by_what_is_around_it(line: int, phrase: str) -> None:
    functions = read_facts(by_id["javascript"], CODE).functions
    (function,) = (function for function in functions if function.start == line)
    assert function_phrase(functions, function, qualified=True) == phrase


def test_a_block_of_ruby_is_no_callback() -> None:
    source = b"def total\n  items.each do |item|\n    item\n  end\nend\n"
    functions = read_facts(by_id["ruby"], source).functions
    assert function_phrase(functions, functions[1]) == "the block passed to `each` in `total`"


def test_a_sentence_begins_with_a_capital_letter_and_a_name_is_left_as_it_is() -> None:
    method, callback, *_ = functions = read_facts(by_id["javascript"], CODE).functions
    assert function_subject(functions, method) == "`start`"
    assert function_subject(functions, callback, adjective="async").startswith("The async callback passed to")
