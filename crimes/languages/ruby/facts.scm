; Ruby in the shared vocabulary. The form is explained in ../engine/table.py.

(method name: (_) @function.name parameters: (_)? @function.parameters body: (_)? @function.value) @function
(singleton_method name: (_) @function.key parameters: (_)? @function.parameters body: (_)? @function.value) @function
(do_block parameters: (_)? @function.parameters) @function
(block parameters: (_)? @function.parameters) @function
(keyword_parameter name: (_) @parameter.name ":" @parameter.keyword value: (_)? @parameter.default) @parameter
(optional_parameter name: (_) @parameter.name value: (_) @parameter.default) @parameter
(class name: (_) @class.name superclass: (_)? @class.bases body: (_)? @class.body) @class
(module name: (_) @class.name body: (_)? @class.body) @class
(assignment left: (_) @binding.name right: (_) @binding.value) @binding
(operator_assignment left: (_) @binding.name right: (_) @binding.value) @binding
(instance_variable) @attribute

(if condition: (_) @if.condition consequence: (_)? @if.then alternative: (_)? @if.else) @if
(unless condition: (_) @if.condition consequence: (_)? @if.then alternative: (_)? @if.else) @if
(elsif condition: (_) @elseif.condition consequence: (_)? @elseif.then alternative: (_)? @elseif.else) @elseif
(if_modifier body: (_) @if.then "if" @if.keyword condition: (_) @if.condition) @if
(unless_modifier body: (_) @if.then "unless" @if.keyword condition: (_) @if.condition) @if
[(while) (until) (for)] @loop
(while_modifier "while" @loop.keyword) @loop
(until_modifier "until" @loop.keyword) @loop
[(case) (case_match)] @switch
[(when) (in_clause)] @case
(else) @arm
(conditional) @ternary
(binary left: (_) @logical.left operator: ["&&" "||" "and" "or"] @logical.operator right: (_) @logical.right) @logical
(next (argument_list) @jump.value) @jump
(break (argument_list) @jump.value) @jump
[(redo) (retry)] @jump

(begin (else)? @try.else) @try
(body_statement [(rescue) (ensure)] (else)? @try.else) @try
(rescue body: (_)? @handler.body) @handler
(rescue_modifier body: (_) @handler.guarded handler: (_) @handler.body) @handler
(ensure) @finally
(return) @return
(yield) @yields

(call arguments: (_)? @call.arguments block: (_)? @call.block) @call
(scope_resolution) @reference
(constant) @name
(identifier) @name
[(string) (subshell)] @string
(heredoc_body) @literal.list
[(array) (string_array) (symbol_array)] @literal.list
(hash) @literal.map
(comment) @comment

; Nothing below these becomes a fact.
[(integer) (float) (true) (false) (nil) (self) (simple_symbol) (hash_key_symbol) (global_variable) (class_variable) (uninterpreted)] @skip
