; Scala in the shared vocabulary. The form is explained in ../engine/table.py.

(package_clause name: (_) @package.name body: (_)? @package.body) @package
(package_object name: (_) @package.name body: (_) @package.body) @package
[(import_declaration) (export_declaration)] @import

(annotation arguments: (_)? @decorator.arguments) @decorator
(class_definition name: (_) @class.name body: (_)? @class.body) @class
(object_definition name: (_) @class.name body: (_)? @class.body) @class
(trait_definition name: (_) @class.name body: (_)? @class.body) @class
(enum_definition name: (_) @class.name body: (_)? @class.body) @class
(given_definition name: (_)? @class.name body: (_)? @class.body) @class
(extends_clause) @bases
(type_definition name: (_) @type.name) @type
(class_parameter name: (_) @field.name) @field
(simple_enum_case name: (_) @field.name) @field
(full_enum_case name: (_) @field.name) @field

(function_definition name: (_) @function.name (parameters)? @function.parameters return_type: (_)? @function.result body: (_)? @function.body) @function
(lambda_expression parameters: (_)? @function.parameters) @function
[(block) (indented_block)] @block
(parameters) @parameters
(parameter name: (_) @parameter.name type: (_)? @parameter.type default_value: (_)? @parameter.default) @parameter

(val_definition pattern: (_) @binding.name value: (_) @binding.value) @binding
(var_definition pattern: (_) @binding.name value: (_) @binding.value) @binding
(assignment_expression left: (_) @binding.name right: (_) @binding.value) @binding
(field_expression) @attribute
(identifier) @name
[(type_identifier) (stable_type_identifier) (stable_identifier)] @reference

(if_expression condition: (_) @if.condition consequence: (_) @if.then alternative: (_)? @if.else) @if
[(for_expression) (while_expression) (do_while_expression)] @loop
(match_expression "match" @switch.keyword) @switch
(case_clause pattern: (_) body: (_)? @case.body) @case
(guard) @comprehension_if
(infix_expression left: (_) @infix.left operator: (_) @infix.operator right: (_) @infix.right) @infix

(try_expression body: (_) @try.body) @try
(catch_clause) @catches
(finally_clause) @finally
(throw_expression) @raise
(return_expression) @return

(call_expression (arguments)? @call.arguments [(block) (case_block) (colon_argument)]? @call.block) @call
(instance_expression arguments: (_)? @call.arguments (template_body)? @call.body) @call
[(string) (interpolated_string_expression)] @string
[(comment) (block_comment)] @comment
(tuple_expression) @literal.tuple

; Nothing below these becomes a fact.
[(integer_literal) (floating_point_literal) (boolean_literal) (character_literal) (null_literal) (operator_identifier) (wildcard) (end_marker)] @skip
