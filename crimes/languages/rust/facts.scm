; Rust in the shared vocabulary. The form is explained in ../table.py.

(function_item name: (_) @function.name parameters: (_) @function.parameters return_type: (_) @function.result body: (_) @function.body) @function
(closure_expression parameters: (_) @function.parameters body: (_) @function.body) @function
[(parameters) (closure_parameters)] @parameters
(parameter pattern: (_) @parameter.name type: (_) @parameter.type) @parameter
(self_parameter (self) @parameter.name) @parameter

(struct_item name: (_) @class.name body: (_) @class.body) @class
(enum_item name: (_) @class.name body: (_) @class.body) @class
(union_item name: (_) @class.name body: (field_declaration_list) @class.body) @class
(trait_item name: (_) @class.name bounds: (_) @class.bases body: (_) @class.body) @class
(impl_item trait: (_)? @implementation.base type: (_) @implementation.name) @implementation
(type_item name: (_) @type.name) @type
(macro_definition name: (_) @type.name) @type
(mod_item name: (_) @namespace.name body: (_) @namespace.body) @namespace
(attribute) @decorator

(const_item name: (_) @binding.name value: (_) @binding.value) @binding
(static_item name: (_) @binding.name value: (_) @binding.value) @binding
(let_declaration pattern: (_) @binding.name value: (_) @binding.value alternative: (_) @binding.else) @binding
(assignment_expression left: (_) @binding.name right: (_) @binding.value) @binding
(compound_assignment_expr left: (_) @binding.name right: (_) @binding.value) @binding
(field_expression) @attribute
(field_initializer field: (_) @member.name value: (_) @member.value) @member

(if_expression condition: (_) @if.condition consequence: (_) @if.then) @if
(else_clause) @else
[(while_expression) (loop_expression) (for_expression)] @loop
(match_expression) @switch
(match_arm value: (_) @case.body) @case
(binary_expression left: (_) @logical.left operator: ["&&" "||"] @logical.operator right: (_) @logical.right) @logical
(let_chain) @logical
(break_expression (label)) @jump
(continue_expression (label)) @jump

(return_expression) @return
(try_expression) @raise
(await_expression) @await
(yield_expression) @yields

(call_expression arguments: (_) @call.arguments) @call
(macro_invocation (token_tree) @call.arguments) @call
(token_tree) @tokens
[(use_declaration) (extern_crate_declaration)] @import
[(scoped_identifier) (scoped_type_identifier) (type_identifier)] @reference
[(string_literal) (raw_string_literal)] @string
[(line_comment) (block_comment)] @comment
(expression_statement) @statement
(array_expression) @literal.list
(struct_expression) @literal.map
(tuple_expression) @literal.tuple

; Nothing below these becomes a fact.
[(identifier) (field_identifier) (shorthand_field_identifier) (shorthand_field_initializer) (primitive_type) (lifetime) (label)
 (integer_literal) (float_literal) (boolean_literal) (char_literal) (metavariable) (self) (super) (crate) (mutable_specifier)
 (visibility_modifier) (function_modifiers) (inner_attribute_item) (token_tree_pattern) (unit_type) (unit_expression)] @skip
