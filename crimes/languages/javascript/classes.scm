; Classes and parameters of plain JavaScript; TypeScript's grammar shapes them differently.

(class_declaration name: (_) @class.name body: (_) @class.body) @class
(class name: (_) @class.key body: (_) @class.body) @class
(field_definition decorator: (_)? @member.decorator property: (_) @member.name value: (_) @member.value) @member
(assignment_pattern left: (_) @parameter.name right: (_) @parameter.default) @parameter
