; JavaScript in the shared vocabulary; TypeScript adds to it. The form is explained in ../table.py.

(function_declaration name: (_) @function.name parameters: (_) @function.parameters body: (_) @function.body) @function
(generator_function_declaration name: (_) @function.name parameters: (_) @function.parameters body: (_) @function.body) @function
(function_expression name: (_) @function.key parameters: (_) @function.parameters body: (_) @function.body) @function
(generator_function name: (_) @function.key parameters: (_) @function.parameters body: (_) @function.body) @function
(method_definition name: (_) @function.key parameters: (_) @function.parameters body: (_) @function.body) @function
(arrow_function parameters: (_)? @function.parameters parameter: (_)? @function.parameter body: (_) @function.body) @function
(variable_declarator name: (_) @binding.name value: (_) @binding.value) @binding
(assignment_expression left: (_) @binding.name right: (_) @binding.value) @binding
(augmented_assignment_expression left: (_) @binding.name right: (_) @binding.value) @binding
(pair key: (_) @member.name value: (_) @member.value) @member
(member_expression) @attribute
(formal_parameters) @parameters
(class_heritage) @bases
(decorator) @decorator

(if_statement condition: (_) @if.condition consequence: (_) @if.then) @if
(else_clause) @else
[(for_statement) (for_in_statement) (while_statement) (do_statement)] @loop
(switch_statement) @switch
(switch_case) @case
(switch_default) @arm
(ternary_expression) @ternary
(binary_expression left: (_) @logical.left operator: ["&&" "||"] @logical.operator right: (_) @logical.right) @logical
(continue_statement label: (_)) @jump
(break_statement label: (_)) @jump

(try_statement body: (_) @try.body) @try
(catch_clause body: (_) @handler.body) @handler
(finally_clause) @finally
(throw_statement) @raise
(return_statement) @return
(await_expression) @await
(update_expression) @changes
(yield_expression) @yields

(call_expression arguments: (_) @call.arguments) @call
(new_expression arguments: (_) @call.arguments) @call
(import_statement) @import
(export_statement) @export
[(string) (template_string)] @string
[(comment) (html_comment)] @comment
(array) @literal.list
(object) @literal.map

; Nothing below these becomes a fact.
[(identifier) (property_identifier) (shorthand_property_identifier) (number) (true) (false) (null) (this)] @skip
