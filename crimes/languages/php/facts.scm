; PHP in the shared vocabulary. The form is explained in ../engine/table.py.

(namespace_definition name: (_)? @namespace.name) @namespace
(namespace_use_declaration) @import
[(include_expression) (include_once_expression) (require_expression) (require_once_expression)] @import

(attribute) @decorator
(class_declaration name: (_) @class.name body: (_) @class.body) @class
(interface_declaration name: (_) @class.name body: (_) @class.body) @class
(trait_declaration name: (_) @class.name body: (_) @class.body) @class
(enum_declaration name: (_) @class.name body: (_) @class.body) @class
(anonymous_class body: (_) @class.body) @class
[(base_clause) (class_interface_clause)] @bases
(property_element name: (_) @field.name) @field
(property_promotion_parameter type: (_)? @parameter.type name: (_) @parameter.name default_value: (_)? @parameter.default) @parameter

(function_definition name: (_) @function.name parameters: (_) @function.parameters return_type: (_)? @function.result body: (_) @function.body) @function
(method_declaration name: (_) @function.name parameters: (_) @function.parameters return_type: (_)? @function.result body: (_)? @function.body) @function
(anonymous_function parameters: (_) @function.parameters body: (_) @function.body) @function
(arrow_function parameters: (_) @function.parameters body: (_) @function.body) @function
(formal_parameters) @parameters
(simple_parameter type: (_)? @parameter.type name: (_) @parameter.name default_value: (_)? @parameter.default) @parameter
(variadic_parameter "..." @parameter.star name: (_) @parameter.name) @parameter
(argument) @argument

(assignment_expression left: (_) @binding.name right: (_) @binding.value) @binding
(augmented_assignment_expression left: (_) @binding.name right: (_) @binding.value) @binding
(reference_assignment_expression left: (_) @binding.name right: (_) @binding.value) @binding
[(update_expression) (unset_statement)] @changes
[(member_access_expression) (nullsafe_member_access_expression)] @attribute
(name) @name
(qualified_name) @reference

(if_statement condition: (_) @if.condition body: (_) @if.then) @if
(else_if_clause condition: (_) @elseif.condition body: (_) @elseif.then) @elseif
(else_clause) @else
[(for_statement) (foreach_statement) (while_statement) (do_statement)] @loop
[(switch_statement) (match_expression)] @switch
[(case_statement) (match_conditional_expression)] @case
[(default_statement) (match_default_expression)] @arm
(conditional_expression) @ternary
(binary_expression left: (_) @logical.left operator: ["&&" "||" "and" "or" "xor"] @logical.operator right: (_) @logical.right) @logical
(goto_statement (name)) @jump
(break_statement (integer)) @jump
(continue_statement (integer)) @jump

(try_statement body: (_) @try.body) @try
(catch_clause body: (_) @handler.body) @handler
(finally_clause) @finally
(throw_expression) @raise
(return_statement) @return
(yield_expression) @yields

(function_call_expression arguments: (_) @call.arguments) @call
(member_call_expression arguments: (_) @call.arguments) @call
(nullsafe_member_call_expression arguments: (_) @call.arguments) @call
(scoped_call_expression arguments: (_) @call.arguments) @call
(object_creation_expression (arguments) @call.arguments) @call
(expression_statement) @statement
[(string) (encapsed_string) (heredoc) (nowdoc)] @string
(comment) @comment
(array_creation_expression) @literal.list

; Nothing below these becomes a fact.
[(variable_name) (primitive_type) (integer) (float) (boolean) (null) (relative_scope) (php_tag) (text)] @skip
