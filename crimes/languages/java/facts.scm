; Java in the shared vocabulary. The form is explained in ../engine/table.py.

(package_declaration [(scoped_identifier) (identifier)] @package.name) @package
(import_declaration) @import

(marker_annotation) @decorator
(annotation arguments: (_) @decorator.arguments) @decorator
(class_declaration name: (_) @class.name body: (_) @class.body) @class
(interface_declaration name: (_) @class.name body: (_) @class.body) @class
(enum_declaration name: (_) @class.name body: (_) @class.body) @class
(record_declaration name: (_) @class.name body: (_) @class.body) @class
(annotation_type_declaration name: (_) @class.name body: (_) @class.body) @class
[(superclass) (super_interfaces) (extends_interfaces)] @bases
(field_declaration declarator: (_) @field.name) @field
(constant_declaration declarator: (_) @field.name) @field
(enum_constant name: (_) @field.name) @field

(method_declaration type: (_) @function.result name: (_) @function.name parameters: (_) @function.parameters body: (_)? @function.body) @function
(constructor_declaration name: (_) @function.name parameters: (_) @function.parameters body: (_) @function.body) @function
(compact_constructor_declaration name: (_) @function.name body: (_) @function.body) @function
(static_initializer "static" @function.key (block) @function.body) @function
(lambda_expression parameters: (_) @function.parameters body: (_) @function.body) @function
(formal_parameters) @parameters
(formal_parameter type: (_) @parameter.type name: (_) @parameter.name) @parameter
(spread_parameter "..." @parameter.star (variable_declarator) @parameter.name) @parameter

(variable_declarator name: (_) @binding.name value: (_)? @binding.value) @binding
(assignment_expression left: (_) @binding.name right: (_) @binding.value) @binding
(update_expression) @changes
(field_access) @attribute
(identifier) @name
[(type_identifier) (scoped_type_identifier) (scoped_identifier)] @reference

(if_statement condition: (_) @if.condition consequence: (_) @if.then alternative: (_)? @if.else) @if
[(for_statement) (enhanced_for_statement) (while_statement) (do_statement)] @loop
(switch_expression) @switch
(switch_label "case") @case
[(switch_block_statement_group) (switch_rule)] @arm
(ternary_expression) @ternary
(binary_expression left: (_) @logical.left operator: ["&&" "||"] @logical.operator right: (_) @logical.right) @logical
(break_statement (identifier)) @jump
(continue_statement (identifier)) @jump

(try_statement body: (_) @try.body) @try
(try_with_resources_statement body: (_) @try.body) @try
(catch_clause body: (_) @handler.body) @handler
(finally_clause) @finally
(throw_statement) @raise
(return_statement) @return
(assert_statement) @assert
(yield_statement) @yields

(method_invocation arguments: (_) @call.arguments) @call
(object_creation_expression arguments: (_) @call.arguments (class_body)? @call.body) @call
(explicit_constructor_invocation arguments: (_) @call.arguments) @call
(expression_statement) @statement
(string_literal) @string
[(line_comment) (block_comment)] @comment
[(array_initializer) (element_value_array_initializer)] @literal.list

; Nothing below these becomes a fact.
[(integral_type) (floating_point_type) (boolean_type) (void_type) (decimal_integer_literal) (hex_integer_literal) (decimal_floating_point_literal) (character_literal) (true) (false) (null_literal) (this) (super) (asterisk) (dimensions)] @skip
