"""Repositories that try to run a program of theirs, and file names that are hard to print."""

from __future__ import annotations

from pathlib import Path

from tests.kit.gitrepo import GitRepo

# "{}" is the program.
TRAP_SETTINGS = {
    "alias.check-attr": "!{}",
    "alias.log": "!{}",
    "alias.ls-files": "!{}",
    "alias.rev-parse": "!{}",
    "core.alternateRefsCommand": "{}",
    "core.askPass": "{}",
    "core.editor": "{}",
    "core.fsmonitor": "{}",
    "core.gitProxy": "{}",
    "core.pager": "{}",
    "core.sshCommand": "{}",
    "core.untrackedCache": "true",
    "credential.helper": "!{}",
    "diff.evil.command": "{}",
    "diff.evil.textconv": "{}",
    "diff.external": "{}",
    "filter.evil.clean": "{}",
    "filter.evil.process": "{}",
    "filter.evil.required": "true",
    "filter.evil.smudge": "{}",
    "gpg.program": "{}",
    "gpg.ssh.program": "{}",
    "gpg.x509.program": "{}",
    "interactive.diffFilter": "{}",
    "log.showSignature": "true",
    "merge.evil.driver": "{}",
    "pager.log": "{}",
    "pager.ls-files": "{}",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "protocol.file.allow": "always",
    "trailer.evil.command": "{}",
    "uploadpack.packObjectsHook": "{}",
    # What follows runs nothing, but changes what git prints.
    "color.ui": "always",
    "diff.orderFile": "/nowhere",
    "diff.relative": "true",
    "diff.renames": "false",
    "format.pretty": "raw",
    "i18n.logOutputEncoding": "UTF-16",
    "log.date": "relative",
    "log.decorate": "full",
    "log.diffMerges": "combined",
    "log.showRoot": "false",
    "mailmap.file": "/dev/zero",
}

UNUSUAL_NAMES = (
    "new\nline.py",
    "tab\there.py",
    'quo"te.py',
    "back\\slash.py",
    "größe.py",
    "caf\udce9.py",
    "space name.py",
    " leading.py",
    "trailing ",
    "-rf.py",
    ":colon.py",
    "@@ -1 +1 @@",
    "+++ b",
    "b/a/b.py",
    "dev/null",
    "\x07bell\x01\x7f",
)


def set_traps(repo: GitRepo, folder: Path) -> Path:
    """Make every setting that can run a program run one that leaves the file returned, and edit all files."""
    marker, script = folder / "ran", folder / "evil"
    script.write_text(f'#!/bin/sh\necho "$0 $*" >> "{marker}"\ncat\n')
    script.chmod(0o755)
    attributes = "* filter=evil diff=evil\n*.txt filter=a=b.c\n"
    repo.commit({".gitattributes": attributes, "x.txt": "1\n", "p.bin": b"\0"})
    for key, value in TRAP_SETTINGS.items():
        repo.git("config", key, value.format(script))
    repo.git("config", "filter.a=b.c.clean", str(script))
    included = f'[filter "late"]\n\tprocess = {script}\n\trequired = true\n'
    (repo.path / ".git/more").write_text(included)
    repo.git("config", "include.path", "more")
    (repo.path / ".git/info/attributes").write_text("late.py filter=late\n")
    repo.write({"a.py": "changed\n", "x.txt": "2\n", "p.bin": b"\0\1", "late.py": "1\n"})
    (repo.path / ".git/index").touch()
    return marker
