; Definitions that others may name.
[(class_declaration name: (_) @name) (object_declaration name: (_) @name) (function_declaration name: (_) @name)] @item
(property_declaration (variable_declaration (identifier) @name)) @item
(type_alias type: (_) @name) @item
[(class_declaration name: (_) @owner) (object_declaration name: (_) @owner)] @class
(object_literal) @open
