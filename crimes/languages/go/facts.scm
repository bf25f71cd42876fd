; Go in the shared vocabulary. The form is explained in ../engine/table.py.

(package_clause) @package
(import_spec) @import
(function_declaration name: (_) @function.name parameters: (_) @function.parameters result: (_)? @function.result body: (_)? @function.body) @function
(method_declaration receiver: (_) @function.receiver name: (_) @function.key parameters: (_) @function.parameters result: (_)? @function.result body: (_)? @function.body) @function
(func_literal parameters: (_) @function.parameters result: (_)? @function.result body: (_) @function.body) @function
(parameter_declaration name: (_)? @parameter.name type: (_) @parameter.type) @parameter
(variadic_parameter_declaration name: (_)? @parameter.name "..." @parameter.star type: (_) @parameter.type) @parameter
(type_spec name: (_) @class.name type: (_) @class.body) @class
(type_alias name: (_) @type.name) @type
(field_declaration name: (_)? @field.name type: (_) @field.base) @field
(const_spec name: (_) @binding.name value: (_)? @binding.value) @binding
(var_spec name: (_) @binding.name value: (_)? @binding.value) @binding
(short_var_declaration left: (_) @binding.name right: (_) @binding.value) @binding
(assignment_statement left: (_) @binding.name right: (_) @binding.value) @binding
(range_clause left: (_)? @binding.name) @binding
(receive_statement left: (_)? @binding.name) @binding
(keyed_element key: (_) @member.name value: (_) @member.value) @member
[(expression_list) (literal_element)] @values

(if_statement condition: (_) @if.condition consequence: (_) @if.then alternative: (_)? @if.else) @if
(for_statement) @loop
[(expression_switch_statement) (type_switch_statement) (select_statement)] @switch
(expression_case) @case
(type_case type: (_) @case.type) @case
(communication_case) @case
(default_case) @arm
(binary_expression left: (_) @logical.left operator: ["&&" "||"] @logical.operator right: (_) @logical.right) @logical
(continue_statement (label_name)) @jump
(break_statement (label_name)) @jump
(goto_statement (label_name)) @jump
(return_statement) @return
[(inc_statement) (dec_statement) (send_statement)] @changes

(call_expression arguments: (_) @call.arguments) @call
(expression_statement) @statement
(selector_expression) @attribute
[(type_identifier) (qualified_type)] @reference
(identifier) @name
[(interpreted_string_literal) (raw_string_literal)] @string
(composite_literal) @literal.map
(comment) @comment

; Nothing below these becomes a fact.
[(field_identifier) (package_identifier) (label_name) (blank_identifier) (int_literal) (float_literal) (imaginary_literal) (rune_literal) (nil) (true) (false) (iota)] @skip
