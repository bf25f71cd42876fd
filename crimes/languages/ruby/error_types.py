"""The errors of Ruby and how they derive from each other."""

from __future__ import annotations

from crimes.languages.engine.error_tree import parents_of
from crimes.model.repository import ErrorTypes

_TREE = """
Exception:  NoMemoryError ScriptError SecurityError SignalException StandardError SystemExit SystemStackError
ScriptError:  LoadError NotImplementedError SyntaxError
SignalException:  Interrupt
StandardError:  ArgumentError EncodingError FiberError IOError IndexError LocalJumpError NameError RangeError RegexpError
StandardError:  RuntimeError SystemCallError ThreadError TypeError ZeroDivisionError JSON::JSONError
ArgumentError:  UncaughtThrowError
IOError:  EOFError
IndexError:  KeyError StopIteration
JSON::JSONError:  JSON::ParserError JSON::GeneratorError
NameError:  NoMethodError
RangeError:  FloatDomainError
RuntimeError:  FrozenError Timeout::Error
SystemCallError:  Errno::EACCES Errno::ECONNREFUSED Errno::ECONNRESET Errno::EEXIST Errno::EHOSTUNREACH Errno::EINVAL Errno::EISDIR
SystemCallError:  Errno::ENOENT Errno::ENOTDIR Errno::ENOTEMPTY Errno::EPERM Errno::EPIPE Errno::ETIMEDOUT
"""

ERROR_TYPES = ErrorTypes(parents_of(_TREE), bare="StandardError")
