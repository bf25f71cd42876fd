; Definitions that others may name.
[(class_definition name: (_) @name) (object_definition name: (_) @name) (trait_definition name: (_) @name) (enum_definition name: (_) @name)] @item
[(function_definition name: (_) @name) (function_declaration name: (_) @name) (type_definition name: (_) @name)] @item
[(val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)] @item
[(class_definition name: (_) @owner) (object_definition name: (_) @owner) (trait_definition name: (_) @owner) (enum_definition name: (_) @owner)] @class
