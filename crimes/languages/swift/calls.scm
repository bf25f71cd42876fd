; Names and fields with their types or values, and names that are bound to something unknown.
(parameter (simple_identifier) @name . ":" [(user_type) (optional_type) (existential_type) (opaque_type)]? @type)
(lambda_parameter name: (simple_identifier) @name)
(lambda_parameter (simple_identifier) @name . ":" [(user_type) (optional_type) (existential_type) (opaque_type)] @type)
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) (type_annotation (_) @type))
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) value: [(call_expression) (constructor_expression)] @value)
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) value: (try_expression (call_expression) @value))
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name) (type_annotation (_) @type))
(pattern (simple_identifier) @name)
; A name that stands alone, as in `if let order`, is the outer one.
(_ (value_binding_pattern) . (simple_identifier) @name . "=")
(_ (value_binding_pattern) . (simple_identifier) @name . "=" . [(call_expression) (constructor_expression)] @value)
(_ (value_binding_pattern) . (simple_identifier) @name . "=" . (try_expression (call_expression) @value))
(_ (value_binding_pattern) . (simple_identifier) @name . "=" . (as_expression (as_operator) . (_) @type))
