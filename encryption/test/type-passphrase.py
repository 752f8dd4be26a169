"""type-passphrase.py PASSPHRASE PROGRAM ARGUMENTS…: runs age, or another program, in a new terminal, and types the passphrase at each prompt for one."""

import os
import pty
import re
import sys

passphrase, command = sys.argv[1].encode(), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(command[0], command)

asked = b""
while True:
    try:
        said = os.read(terminal, 4096)
    except OSError:  # The other side of the terminal is closed.
        break
    if not said:
        break
    asked += re.sub(rb"\x1b\[[0-9;]*[A-Za-z]", b"", said)
    if asked.rstrip().endswith(b":") and b"passphrase" in asked.lower():
        os.write(terminal, passphrase + b"\n")
        asked = b""

status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
if status:
    sys.stderr.write(asked.decode(errors="replace"))
sys.exit(status)
