"""The errors of the Java library and how they derive from each other."""

from __future__ import annotations

from crimes.languages.engine.error_tree import parents_of
from crimes.model.repository import ErrorTypes

_TREE = """
Throwable:  Error Exception
Error:  AssertionError LinkageError StackOverflowError OutOfMemoryError NotImplementedError
Exception:  ClassNotFoundException CloneNotSupportedException IOException InterruptedException RuntimeException TimeoutException
IOException:  EOFException FileNotFoundException SocketException UnknownHostException MalformedURLException
RuntimeException:  ArithmeticException ClassCastException ConcurrentModificationException IllegalArgumentException
RuntimeException:  IllegalStateException IndexOutOfBoundsException NoSuchElementException NullPointerException SecurityException
RuntimeException:  UncheckedIOException UnsupportedOperationException
IllegalArgumentException:  NumberFormatException
IllegalStateException:  CancellationException
SocketException:  ConnectException
"""

ERROR_TYPES = ErrorTypes(
    parents_of(_TREE), usual="Exception", usual_endings=("Exception",), library=("java.", "kotlin.")
)
