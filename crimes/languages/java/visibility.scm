; Definitions that others may name.
[(class_declaration name: (_) @name) (enum_declaration name: (_) @name) (record_declaration name: (_) @name)] @item
[(interface_declaration name: (_) @name) (annotation_type_declaration name: (_) @name)] @item
[(method_declaration name: (_) @name) (constructor_declaration name: (_) @name)] @item
(field_declaration declarator: (variable_declarator name: (_) @name)) @item
[(class_declaration name: (_) @owner) (enum_declaration name: (_) @owner) (record_declaration name: (_) @owner)] @class
[(interface_declaration) (annotation_type_declaration)] @open
