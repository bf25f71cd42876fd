; Definitions that others may name, and statements that hide them.
[(class name: (_) @name) (module name: (_) @name) (assignment left: (constant) @name) (singleton_method name: (_) @name)] @item
((call method: (identifier) @word arguments: (argument_list (simple_symbol) @name)) @statement
 (#any-of? @word "private_constant" "private_class_method"))
[(class name: (_) @owner) (module name: (_) @owner)] @class
