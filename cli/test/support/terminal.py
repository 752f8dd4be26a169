# Runs a program in a pseudo-terminal, types answers, and prints what the terminal shows.
# python3 terminal.py COLUMNS ANSWERS PROGRAM…; ANSWERS is JSON: [[pattern, text], …], each typed when its pattern is shown.
import fcntl, json, os, pty, re, struct, sys, termios

columns, answers, program = int(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3:]
child, screen = pty.fork()
if child == 0:
    sys.stdin.readline()
    os.execvp(program[0], program)
fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
os.write(screen, b'\n')
shown = ''
try:
    while data := os.read(screen, 65536):
        os.write(1, data)
        shown += data.decode('utf-8', 'replace')
        while answers and (found := re.search(answers[0][0], shown)):
            shown = shown[found.end():]
            os.write(screen, answers.pop(0)[1].encode())
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
