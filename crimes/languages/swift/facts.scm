; Swift in the shared vocabulary. The form is explained in ../engine/table.py. The grammar has few fields: parts go by kind.

(import_declaration) @import

(attribute) @decorator
(class_declaration "extension" @class.adds name: (_) @class.name body: (_) @class.body) @class
(protocol_declaration name: (_) @class.name body: (_) @class.body) @class
(inheritance_specifier) @bases
(type_parameter (type_identifier) @type_parameter.name) @type_parameter
(associatedtype_declaration name: (_) @type_parameter.name) @type_parameter
(typealias_declaration name: (_) @type.name) @type
(macro_declaration (simple_identifier) @type.name) @type

(function_declaration name: (_) @function.name (parameter) @function.parameter "async" @function.async [(throws) (throws_clause)] @function.fails "->" @function.result body: (_) @function.body) @function
(protocol_function_declaration name: (_) @function.name (parameter) @function.parameter "async" @function.async [(throws) (throws_clause)] @function.fails "->" @function.result body: (_)? @function.body) @function
(init_declaration "init" @function.key (parameter) @function.parameter "async" @function.async [(throws) (throws_clause)] @function.fails body: (_) @function.body) @function
(deinit_declaration "deinit" @function.key body: (_) @function.body) @function
(subscript_declaration "subscript" @member.name (computed_property) @member.value) @member
[(computed_property) (lambda_literal)] @function
(computed_getter (getter_specifier) @function.key (statements) @function.body) @function
(computed_setter (setter_specifier) @function.key (statements) @function.body) @function
(willset_clause "willSet" @function.key (statements) @function.body) @function
(didset_clause "didSet" @function.key (statements) @function.body) @function
(parameter name: (_) @parameter.name [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (metatype) (protocol_composition_type) (type_pack_expansion) (suppressed_constraint)] @parameter.type "..." @parameter.star) @parameter

(property_declaration name: (_) @binding.name [(computed_property) (lambda_literal) (call_expression) (constructor_expression) (try_expression) (line_string_literal) (multi_line_string_literal) (integer_literal) (real_literal) (boolean_literal) (array_literal) (dictionary_literal)] @binding.value) @binding
(assignment target: (_) @binding.name result: (_) @binding.value) @binding
(navigation_expression) @attribute
(simple_identifier) @name
[(user_type) (type_identifier)] @reference

(if_statement (statements) @if.then (else) @if.else) @if
(guard_statement (statements) @if.then) @if
[(for_statement) (while_statement) (repeat_while_statement)] @loop
(switch_statement) @switch
(switch_entry (switch_pattern)) @case
(ternary_expression) @ternary
(conjunction_expression lhs: (_) @logical.left op: _ @logical.operator rhs: (_) @logical.right) @logical
(disjunction_expression lhs: (_) @logical.left op: _ @logical.operator rhs: (_) @logical.right) @logical
(control_transfer_statement result: (_)) @transfer

(do_statement (statements) @try.body) @try
(catch_block (statements) @handler.body) @handler
(try_expression) @statement

(call_expression (call_suffix) @call.suffix) @call
(macro_invocation (call_suffix) @call.suffix) @call
(constructor_expression (constructor_suffix) @call.suffix) @call
(call_suffix (value_arguments) @suffix.arguments (lambda_literal) @suffix.block) @suffix
(constructor_suffix (value_arguments) @suffix.arguments (lambda_literal) @suffix.block) @suffix
(value_argument) @argument
(await_expression) @await
[(line_string_literal) (multi_line_string_literal) (raw_string_literal)] @string
[(comment) (multiline_comment)] @comment
(array_literal) @literal.list
(dictionary_literal) @literal.map

; Nothing below these becomes a fact.
[(integer_literal) (real_literal) (boolean_literal) (self_expression) (super_expression) (value_argument_label) (directive) (diagnostic) (shebang_line) (statement_label) (try_operator) (availability_condition)] @skip
