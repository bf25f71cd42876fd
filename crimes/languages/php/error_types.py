"""The errors of PHP and how they derive from each other."""

from __future__ import annotations

from crimes.languages.engine.error_tree import parents_of
from crimes.model.repository import ErrorTypes

_TREE = """
Throwable:  Error Exception
Error:  ArithmeticError AssertionError CompileError TypeError UnhandledMatchError ValueError
ArithmeticError:  DivisionByZeroError
CompileError:  ParseError
TypeError:  ArgumentCountError
Exception:  ErrorException JsonException LogicException ReflectionException RuntimeException SoapFault IntlException
LogicException:  BadFunctionCallException DomainException InvalidArgumentException LengthException OutOfRangeException
BadFunctionCallException:  BadMethodCallException
RuntimeException:  OutOfBoundsException OverflowException PDOException RangeException UnderflowException UnexpectedValueException
"""

ERROR_TYPES = ErrorTypes(parents_of(_TREE), usual="Exception", usual_endings=("Exception",))
