; Kotlin in the shared vocabulary. The form is explained in ../engine/table.py. The grammar has few fields: parts go by kind.

(package_header (qualified_identifier) @package.name) @package
(import) @import

[(annotation) (file_annotation) (parameter_modifiers)] @decorator
(class_declaration name: (_) @class.name [(class_body) (enum_class_body)] @class.body) @class
(object_declaration name: (_) @class.name (class_body) @class.body) @class
(companion_object "companion" @class.key (class_body) @class.body) @class
(object_literal) @anonymous_type
(delegation_specifier) @bases
(type_alias type: (_) @type.name) @type
(class_parameter (identifier) @field.name) @field
(enum_entry (identifier) @field.name) @field

(function_declaration name: (_) @function.name (function_value_parameters) @function.parameters ":" @function.result (function_body) @function.body) @function
(secondary_constructor "constructor" @function.key (function_value_parameters) @function.parameters (block) @function.body) @function
(anonymous_initializer "init" @function.key (block) @function.body) @function
(getter "get" @function.key (function_body) @function.body) @function
(setter "set" @function.key (identifier)? @function.parameter (function_body) @function.body) @function
(anonymous_function (function_value_parameters) @function.parameters (function_body) @function.body) @function
(lambda_literal (lambda_parameters) @function.parameters) @function
(function_value_parameters) @parameters
(parameter (identifier) @parameter.name [(user_type) (nullable_type)] @parameter.type) @parameter

(property_declaration [(variable_declaration) (multi_variable_declaration)] @binding.name [(lambda_literal) (anonymous_function) (call_expression) (string_literal) (number_literal) (collection_literal)] @binding.value) @binding
(assignment left: (_) @binding.name right: (_) @binding.value) @binding
(unary_expression operator: ["++" "--"]) @changes
(navigation_expression) @attribute
(identifier) @name
(user_type) @reference

(if_expression condition: (_) @if.condition "else" @if.else) @if
[(for_statement) (while_statement) (do_while_statement)] @loop
(when_expression) @switch
(when_entry condition: (_)) @case
(binary_expression left: (_) @logical.left operator: ["&&" "||"] @logical.operator right: (_) @logical.right (lambda_literal)? @logical.block) @logical
(labeled_expression (label)) @jump

(try_expression (block) @try.body) @try
(catch_block (block) @handler.body) @handler
(finally_block) @finally
(throw_expression) @raise
(return_expression label: (_)? @return.label) @return

(call_expression (value_arguments) @call.arguments (annotated_lambda) @call.block) @call
(infix_expression) @infix
(value_argument) @argument
[(string_literal) (multiline_string_literal)] @string
[(line_comment) (block_comment)] @comment
(collection_literal) @literal.list

; Nothing below these becomes a fact.
[(number_literal) (float_literal) (character_literal) (this_expression) (super_expression) (label) (shebang)] @skip
