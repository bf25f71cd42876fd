"""One walk over one syntax tree, gathering facts: a table says what each node kind is, an action handles it."""
