"""One walk over a syntax tree, driven by a language's table, that makes facts."""
