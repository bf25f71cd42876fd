; Members of classes that others may name.
[(method_definition name: (_) @name) (abstract_method_signature name: (_) @name) (public_field_definition name: (_) @name)] @item
[(class_declaration name: (_) @owner) (abstract_class_declaration name: (_) @owner)] @class
(class) @open
