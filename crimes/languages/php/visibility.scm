; Members of classes that others may name.
(method_declaration name: (_) @name) @item
(const_declaration (const_element . (name) @name)) @item
[(class_declaration name: (_) @owner) (enum_declaration name: (_) @owner)] @class
[(interface_declaration) (trait_declaration) (anonymous_class)] @open
