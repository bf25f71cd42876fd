"""The entry of `crimes` and `python -m crimes`: one place where every ending becomes an exit code.

0 done, 1 a gate failed, 2 wrong usage or settings, an I/O error, a scan that timed out, or not enough data to apply a
gate, 130 interrupted.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import NoReturn

_MIN_OBJECTS_TO_COLLECT = 50_000  # new ones; a command makes few cycles, and looking for them takes time


def _forget_current_directory() -> None:
    """Drop the current directory from the paths of modules and programs: a scanned repository may hold `rich/`, or a `git`."""
    programs = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(folder)]
    if programs:
        os.environ["PATH"] = os.pathsep.join(programs)
    else:  # an empty one would mean the current directory
        os.environ.pop("PATH", None)
    ours = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    keep = {ours, os.path.join(ours, "detectors")}  # a checkout of crimes itself, scanned from inside
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:  # the directory is gone: nothing can be imported from it
        here = ""
    sys.path[:] = [entry for entry in sys.path if entry and (os.path.realpath(entry) != here or here in keep)]


def _say(message: str) -> None:
    """One message on stderr; a closed stderr is no reason to fail twice."""
    from crimes.model.sanitize import safe

    lines = message.split("\n")
    try:
        print("\n".join(safe(line) for line in lines), file=sys.stderr)  # noqa: T201
    except (OSError, ValueError):
        return


def _reader_left() -> bool:
    """Whether the reader of our stdout is gone. A broken pipe to git is a failure and must not pass."""
    import select

    if sys.__stdout__ is None or not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(sys.__stdout__.fileno(), 0)
    return bool(poll.poll(0))


def _empty_stdout() -> None:
    """Write what is still buffered; what cannot be written goes nowhere, or the interpreter complains at its end."""
    stdout = sys.__stdout__
    if stdout is None:
        return
    try:
        stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())


def _ended(error: BaseException) -> int:
    """The exit code of an ending, after its message is printed."""
    from crimes.model.errors import CrimesError, WorkFailed
    from crimes.system.limits import is_out_of_memory

    name = error.name if isinstance(error, WorkFailed) else type(error).__name__
    match error:
        case SystemExit(code=code):
            return code if isinstance(code, int) else 0 if code is None else 2
        case KeyboardInterrupt():
            return 130
        case BrokenPipeError() if _reader_left():  # as in `crimes scan | head -1`
            return 0
        case CrimesError():
            _say(f"crimes: {error}")
        case _ if is_out_of_memory(error):
            _say("crimes: out of memory; exclude large folders in crimes.toml, or scan one folder at a time")
        case _ if name == "RecursionError":
            _say("crimes: the code is nested too deeply to analyse; please report this")
            _traceback(error)
        case _:
            detail = str(error).split("\n")[0][:200]
            _say(f"crimes: internal error: {name}: {detail}")
            if not _traceback(error):
                _say("Please report this with the output of the same command under CRIMES_DEBUG=1.")
    return 2


def _traceback(error: BaseException) -> bool:
    """The traceback, when it was asked for."""
    if not os.environ.get("CRIMES_DEBUG"):
        return False
    import traceback

    from crimes.model.errors import WorkFailed

    text = error.trace if isinstance(error, WorkFailed) else "".join(traceback.format_exception(error))
    _say(text.rstrip("\n"))
    return True


def _run() -> None:
    """Run the command line; typer turns its own usage errors into SystemExit(2)."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv):
        from crimes.hook.run import main as hook

        raise SystemExit(hook(sys.argv[2:]))
    from crimes.cli.warm_path import try_answer

    if try_answer(sys.argv[1:]):
        return
    from crimes.cli.app import app_for, with_new_names

    stdout = sys.stdout
    arguments = with_new_names(sys.argv[1:])
    try:
        app_for(arguments)(arguments, prog_name="crimes")
    except SystemExit as ending:
        if sys.stdout is not stdout:  # how typer marks a broken pipe, before it ends with 1
            raise BrokenPipeError from ending
        if stdout is not None:
            stdout.flush()
        raise


def main() -> NoReturn:
    """Run, and leave with an exit code."""
    try:
        _forget_current_directory()
        from crimes.system.limits import save_address_space

        save_address_space()
        _run()
    except BaseException as error:
        code = _ended(error)
        _empty_stdout()
        raise SystemExit(code) from error
    raise SystemExit(0)


def run() -> NoReturn:
    """Run as a process of its own: it leaves its memory to the system instead of taking it apart, a tenth of a second."""
    gc.set_threshold(_MIN_OBJECTS_TO_COLLECT)
    codes: list[int] = []
    atexit.register(_leave, codes)  # the first one in is called last, when all others have cleaned up
    try:
        main()
    except SystemExit as ending:
        codes.append(ending.code if isinstance(ending.code, int) else 0)
        raise


def _leave(codes: list[int]) -> None:
    if codes:
        _empty_stdout()
        os._exit(codes[0])


if __name__ == "__main__":
    run()
