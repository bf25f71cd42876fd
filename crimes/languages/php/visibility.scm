; Members of classes that others may name.
(method_declaration name: (_) @name) @item
(const_declaration (const_element . (name) @name)) @item
[(class_declaration name: (_) @owner) (enum_declaration name: (_) @owner) (interface_declaration name: (_) @owner)] @class
[(trait_declaration) (anonymous_class)] @open
