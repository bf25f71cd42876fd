; C in the shared vocabulary; C++ adds to it. The form is explained in ../engine/table.py.

(function_definition type: (_)? @function.result body: (_) @function.body) @function
(parameter_list) @parameters
(parameter_declaration type: (_) @parameter.type declarator: (_) @parameter.name) @parameter
(struct_specifier name: (_)? @class.name (field_declaration_list)) @class
(union_specifier name: (_)? @class.name (field_declaration_list)) @class
(enum_specifier name: (_) @type.name (enumerator_list)) @type
(type_definition type: (_) @type.value declarator: (_) @type.name) @type
(preproc_def name: (_) @type.name) @type
(preproc_function_def name: (_) @type.name) @type

(init_declarator declarator: (_) @binding.name value: (_) @binding.value) @binding
(assignment_expression left: (_) @binding.name right: (_) @binding.value) @binding
(update_expression) @changes
(field_expression) @attribute

(preproc_if condition: (_) @directive.condition) @directive
(preproc_elif condition: (_) @directive.condition) @directive
(preproc_ifdef "#ifdef" @directive.defined name: (_) @directive.name alternative: (_)? @directive.else) @directive
(if_statement condition: (_) @if.condition consequence: (_) @if.then) @if
(else_clause) @else
[(for_statement) (while_statement) (do_statement)] @loop
(switch_statement) @switch
(case_statement value: (_)) @case
(conditional_expression) @ternary
(binary_expression left: (_) @logical.left operator: ["&&" "||"] @logical.operator right: (_) @logical.right) @logical
(goto_statement label: (_)) @jump
[(break_statement) (continue_statement)] @jump
(return_statement) @return

(call_expression arguments: (_) @call.arguments) @call
(preproc_include) @import
[(string_literal) (concatenated_string)] @string
(comment) @comment
(expression_statement) @statement
(initializer_list) @literal.list

; Nothing below these becomes a fact.
[(identifier) (field_identifier) (type_identifier) (primitive_type) (sized_type_specifier) (number_literal) (char_literal) (true) (false)
 (null) (storage_class_specifier) (type_qualifier) (statement_identifier) (preproc_arg) (preproc_directive) (preproc_params)
 (attribute_specifier) (attribute_declaration) (ms_declspec_modifier)] @skip
