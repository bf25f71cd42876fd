; C# in the shared vocabulary. The form is explained in ../engine/table.py.

(namespace_declaration name: (_) @namespace.name) @namespace
(file_scoped_namespace_declaration name: (_) @package.name) @package
(using_directive) @import

(attribute name: (_) (attribute_argument_list)? @decorator.arguments) @decorator
(class_declaration name: (_) @class.name body: (_)? @class.body) @class
(interface_declaration name: (_) @class.name body: (_)? @class.body) @class
(struct_declaration name: (_) @class.name body: (_)? @class.body) @class
(record_declaration name: (_) @class.name body: (_)? @class.body) @class
(enum_declaration name: (_) @class.name body: (_)? @class.body) @class
(delegate_declaration name: (_) @type.name) @type
(base_list) @bases
(property_declaration name: (_) @field.name) @field

(method_declaration returns: (_)? @function.result name: (_) @function.name parameters: (_) @function.parameters body: (_)? @function.body) @function
(constructor_declaration name: (_) @function.name parameters: (_) @function.parameters body: (_)? @function.body) @function
(destructor_declaration name: (_) @function.name parameters: (_) @function.parameters body: (_)? @function.body) @function
(operator_declaration operator: (_) @function.name parameters: (_) @function.parameters body: (_)? @function.body) @function
(local_function_statement type: (_)? @function.result name: (_) @function.name parameters: (_) @function.parameters body: (_)? @function.body) @function
(accessor_declaration name: (_) @function.key body: (_)? @function.body) @function
(lambda_expression parameters: (_) @function.parameters body: (_) @function.body) @function
(anonymous_method_expression parameters: (_)? @function.parameters (block) @function.body) @function
[(parameter_list) (bracketed_parameter_list)] @parameters
(parameter type: (_)? @parameter.type name: (_) @parameter.name [(boolean_literal) (null_literal) (integer_literal) (real_literal) (string_literal) (default_expression) (member_access_expression) (prefix_unary_expression)]? @parameter.default) @parameter
(argument) @argument

(variable_declarator name: (_) @binding.name [(lambda_expression) (anonymous_method_expression)]? @binding.value) @binding
(assignment_expression left: (_) @binding.name right: (_) @binding.value) @binding
(postfix_unary_expression) @changes
(member_access_expression name: (_) @attribute.member) @attribute
(member_binding_expression name: (_) @attribute.member) @attribute
(identifier) @name
[(qualified_name) (alias_qualified_name) (array_type)] @reference

(if_statement condition: (_) @if.condition consequence: (_) @if.then alternative: (_)? @if.else) @if
[(for_statement) (foreach_statement) (while_statement) (do_statement)] @loop
[(switch_statement) (switch_expression)] @switch
(switch_section "case") @case
(switch_expression_arm) @case
(conditional_expression) @ternary
(binary_expression left: (_) @logical.left operator: ["&&" "||"] @logical.operator right: (_) @logical.right) @logical
(goto_statement (identifier)) @jump
[(break_statement) (continue_statement)] @jump
[(using_statement) (lock_statement)] @with

(try_statement body: (_) @try.body) @try
(catch_clause body: (_) @handler.body) @handler
(finally_clause) @finally
[(throw_statement) (throw_expression)] @raise
(return_statement) @return
(yield_statement) @yields
(await_expression) @await

(invocation_expression arguments: (_) @call.arguments) @call
(object_creation_expression arguments: (_)? @call.arguments) @call
(implicit_object_creation_expression (argument_list) @call.arguments) @call
(expression_statement) @statement
[(string_literal) (verbatim_string_literal) (raw_string_literal) (interpolated_string_expression)] @string
(comment) @comment
[(initializer_expression) (collection_expression)] @literal.list
(tuple_expression) @literal.tuple

; Nothing below these becomes a fact.
[(predefined_type) (implicit_type) (modifier) (integer_literal) (real_literal) (character_literal) (boolean_literal) (null_literal) (preproc_region) (preproc_endregion) (preproc_pragma) (preproc_nullable) (preproc_define) (type_parameter_list) (implicit_parameter)] @skip
