"""The errors of Python and its standard library, and how they derive from each other."""

from __future__ import annotations

from crimes.languages.engine.error_tree import parents_of
from crimes.model.repository import ErrorTypes

_TREE = """
BaseException:  BaseExceptionGroup Exception GeneratorExit KeyboardInterrupt SystemExit asyncio.CancelledError
Exception:  ArithmeticError AssertionError AttributeError BufferError EOFError ExceptionGroup ImportError LookupError MemoryError
Exception:  NameError OSError ReferenceError RuntimeError StopAsyncIteration StopIteration SyntaxError SystemError TypeError
Exception:  ValueError Warning subprocess.SubprocessError configparser.Error queue.Empty queue.Full zipfile.BadZipFile
Exception:  concurrent.futures.TimeoutError binascii.Error sqlite3.Error csv.Error struct.error pickle.PickleError http.client.HTTPException
ArithmeticError:  FloatingPointError OverflowError ZeroDivisionError
LookupError:  IndexError KeyError
ImportError:  ModuleNotFoundError
NameError:  UnboundLocalError
RuntimeError:  NotImplementedError RecursionError
SyntaxError:  IndentationError
IndentationError:  TabError
ValueError:  UnicodeError json.JSONDecodeError json.decoder.JSONDecodeError ipaddress.AddressValueError ipaddress.NetmaskValueError
UnicodeError:  UnicodeDecodeError UnicodeEncodeError UnicodeTranslateError
OSError:  BlockingIOError ChildProcessError ConnectionError FileExistsError FileNotFoundError InterruptedError IsADirectoryError
OSError:  NotADirectoryError PermissionError ProcessLookupError TimeoutError IOError EnvironmentError shutil.Error
OSError:  socket.error socket.gaierror socket.herror ssl.SSLError urllib.error.URLError
ConnectionError:  BrokenPipeError ConnectionAbortedError ConnectionRefusedError ConnectionResetError
TimeoutError:  socket.timeout
urllib.error.URLError:  urllib.error.HTTPError
subprocess.SubprocessError:  subprocess.CalledProcessError subprocess.TimeoutExpired
Warning:  DeprecationWarning FutureWarning ResourceWarning RuntimeWarning SyntaxWarning UserWarning
"""

ERROR_TYPES = ErrorTypes(parents_of(_TREE), usual="Exception", usual_endings=("Error", "Exception"))
