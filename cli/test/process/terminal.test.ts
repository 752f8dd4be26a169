import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'

/** The output at a terminal of a given width. */
let server: Svcd
let svc: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  svc = await installSvc(server.url)
  await writeFile(svc.path('large'), randomBytes(1_000_000))
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})

/** Runs a program in a pseudo-terminal, and prints the output. */
const terminal = `
import fcntl, os, pty, struct, sys, termios
child, screen = pty.fork()
if child == 0:
    sys.stdin.readline()
    os.execvp(sys.argv[2], sys.argv[2:])
fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack('HHHH', 24, int(sys.argv[1]), 0, 0))
os.write(screen, b'\\n')
try:
    while data := os.read(screen, 65536):
        os.write(1, data)
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
`

async function outputAt(columns: number, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'python3',
    ['-c', terminal, String(columns), process.execPath, svc.program, ...args],
    {
      cwd: svc.directory,
      env: { PATH: process.env['PATH'] ?? '', HOME: svc.directory, SVC_SERVER: server.url, TERM: 'xterm' },
    },
  )
  return stdout
}

const size = String.raw`\d[\d.]* [kM]?B`

test.each([
  [80, String.raw`[█░]{24} +\d+ %  ${size} of 1\.00 MB  ${size}/s(?:  \d+s left)?`],
  [40, String.raw`[█░]{8,24} +\d+ %  ${size} of 1\.00 MB(?:  ${size}/s)?`],
  [20, String.raw`[█░]{8,24} +\d+ %`],
  [8, String.raw` *\d+ %`],
])('a progress bar in a terminal of %i columns shows as much as fits', async (columns, bar) => {
  const text = await outputAt(columns, ['-n', 'name', 'large'])
  // eslint-disable-next-line no-control-regex -- what ends a bar
  const bars = [...text.matchAll(/\r([^\r\n]+)\x1b\[K/g)].map(([, line = '']) => line)
  expect(bars).not.toEqual([])
  for (const line of bars) {
    expect(line).toMatch(new RegExp(`^${bar}$`))
    expect(line.length).toBeLessThan(columns)
  }
})

test('help wraps within its column on a narrow terminal', async () => {
  const help = (await outputAt(60, ['get', '--help'])).split('\r\n')
  for (const line of help) expect(line.length).toBeLessThanOrEqual(60)
  const long = help.findIndex((line) => line.includes('-x, --extract'))
  expect(help[long + 1]).toMatch(/^ {20,}\S/)
})
