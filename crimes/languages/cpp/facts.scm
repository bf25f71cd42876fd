; What C++ adds to C.

(lambda_expression body: (_) @function.body) @function
(optional_parameter_declaration type: (_) @parameter.type declarator: (_) @parameter.name default_value: (_) @parameter.default) @parameter
(class_specifier name: (_)? @class.name (field_declaration_list)) @class
(base_class_clause) @bases
(alias_declaration name: (_) @type.name) @type
(concept_definition name: (_) @type.name) @type
(namespace_definition name: (_)? @namespace.name body: (_) @namespace.body) @namespace

(for_range_loop) @loop
(try_statement body: (_) @try.body) @try
(catch_clause body: (_) @handler.body) @handler
(throw_statement) @raise
(co_return_statement) @return
(co_await_expression) @await
(co_yield_statement) @yields
(new_expression arguments: (_) @call.arguments) @call
(raw_string_literal) @string
[(namespace_identifier) (auto) (this) (access_specifier) (virtual_specifier) (literal_suffix)] @skip
