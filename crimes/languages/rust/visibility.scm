; Definitions that others may name.
[(function_item name: (_) @name) (type_item name: (_) @name) (const_item name: (_) @name) (static_item name: (_) @name)] @item
[(struct_item name: (_) @name) (enum_item name: (_) @name) (union_item name: (_) @name) (trait_item name: (_) @name)] @item
(impl_item !trait type: (_) @owner) @class
(impl_item trait: (_)) @open
(trait_item) @open
