; Names and fields with their types or values, and names that are bound to something unknown.
(parameter (identifier) @name [(user_type) (nullable_type)] @type)
(class_parameter (identifier) @field [(user_type) (nullable_type)] @type)
(variable_declaration (identifier) @name [(user_type) (nullable_type)] @type)
(property_declaration (variable_declaration (identifier) @name) (call_expression) @value)
(variable_declaration (identifier) @name)
(lambda_parameters (_) @name)
(function_declaration (modifiers (member_modifier) @word) name: (_) @override (#eq? @word "override"))
