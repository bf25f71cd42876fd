; What TypeScript adds to JavaScript.

(class_declaration name: (_) @class.name body: (_) @class.body) @class
(abstract_class_declaration name: (_) @class.name body: (_) @class.body) @class
(class name: (_) @class.key body: (_) @class.body) @class
(public_field_definition decorator: (_)? @member.decorator name: (_) @member.name value: (_) @member.value) @member
(required_parameter pattern: (_) @parameter.name type: (_) @parameter.type value: (_) @parameter.default) @parameter
(optional_parameter pattern: (_) @parameter.name type: (_) @parameter.type value: (_) @parameter.default) @parameter
(interface_declaration name: (_) @type.name) @type
(type_alias_declaration name: (_) @type.name) @type
(enum_declaration name: (_) @type.name) @type
(internal_module name: (_) @namespace.name) @namespace
(module name: (_) @namespace.name) @namespace

; Types are erased: nothing in them runs.
[(type_annotation) (type_arguments) (type_parameters) (object_type) (interface_body) (type_identifier) (predefined_type)] @skip
