; Python in the shared vocabulary. The form is explained in ../table.py.

(function_definition name: (_) @function.name parameters: (_) @function.parameters return_type: (_) @function.result body: (_) @function.body) @function
(lambda) @lambda
(class_definition name: (_) @class.name superclasses: (_) @class.bases body: (_) @class.body) @class
(type_alias_statement left: (_) @type.name) @type
(decorator) @decorator
(assignment left: (_) @binding.name right: (_) @binding.value) @binding
(augmented_assignment left: (_) @binding.name right: (_) @binding.value) @binding
(attribute) @attribute
(parameters) @parameters

(default_parameter name: (_) @parameter.name value: (_) @parameter.default) @parameter
(typed_default_parameter name: (_) @parameter.name type: (_) @parameter.type value: (_) @parameter.default) @parameter
(typed_parameter type: (_) @parameter.type) @parameter

(if_statement condition: (_) @if.condition consequence: (_) @if.then) @if
(elif_clause condition: (_) @elseif.condition consequence: (_) @elseif.then) @elseif
(else_clause) @else
[(for_statement) (while_statement)] @loop
(match_statement) @switch
(case_clause) @case
(conditional_expression) @ternary
(if_clause) @comprehension_if
(boolean_operator left: (_) @logical.left operator: (_) @logical.operator right: (_) @logical.right) @logical
(continue_statement) @jump
(break_statement) @jump

(try_statement body: (_) @try.body) @try
(except_clause) @handler
(finally_clause) @finally
(with_statement) @with
(raise_statement) @raise
(return_statement) @return
(assert_statement) @assert
(await) @await
(delete_statement) @changes
(yield) @yields

(call arguments: (_) @call.arguments) @call
[(import_statement) (import_from_statement) (future_import_statement)] @import
(string) @string
(comment) @comment
(expression_statement) @statement
(list) @literal.list
[(tuple) (expression_list)] @literal.tuple
(dictionary) @literal.map
(set) @literal.set
[(type) (identifier) (integer) (float) (true) (false) (none) (pass_statement) (dotted_name)] @skip
