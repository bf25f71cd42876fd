; Definitions that others may name.
(class_declaration declaration_kind: ["class" "struct" "enum" "actor"] name: (_) @name) @item
[(protocol_declaration name: (_) @name) (function_declaration name: (_) @name) (typealias_declaration name: (_) @name)] @item
(property_declaration name: (pattern bound_identifier: (_) @name)) @item
(class_declaration name: (_) @owner) @class
(protocol_declaration) @open
