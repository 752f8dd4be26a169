import { spawn, type ChildProcess } from 'node:child_process'

/** Restarts the server when its sources change. Vite updates the page. */
const commands: readonly (readonly string[])[] = [
  ['node', '--watch', 'server/src/main.ts', 'serve'],
  ['npm', 'run', '--silent', 'dev', '--workspace', '@svc/webapp'],
]

const children: readonly ChildProcess[] = commands.map(([command = '', ...args]) =>
  spawn(command, args, { stdio: 'inherit', shell: process.platform === 'win32' }),
)

const stop = () => {
  for (const child of children) child.kill()
}
for (const child of children) child.on('exit', stop)
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
