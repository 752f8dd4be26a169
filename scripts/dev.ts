/**
 * Starts the server and Vite for development, and restarts the server when its sources change. Vite updates the page.
 *   npm run dev [-- --server-port 8090 --page-port 5174]
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { env } from 'node:process'
import { parseArgs } from 'node:util'

const { values: ports } = parseArgs({
  options: { 'server-port': { type: 'string' }, 'page-port': { type: 'string' } },
})
const serverPort = ports['server-port'] ?? env['SVCD_LISTEN_PORT']
const pagePort = ports['page-port']

const commands: readonly (readonly string[])[] = [
  ['node', '--watch', 'server/src/main.ts', 'serve'],
  [
    ...['npm', 'run', '--silent', 'dev', '--workspace', '@svc/webapp'],
    ...(pagePort === undefined ? [] : ['--', '--port', pagePort]),
  ],
]

const environment =
  serverPort === undefined
    ? env
    : { ...env, SVCD_LISTEN_PORT: serverPort, SVC_SERVER: `http://127.0.0.1:${serverPort}` }

const children: readonly ChildProcess[] = commands.map(([command = '', ...args]) =>
  spawn(command, args, { stdio: 'inherit', env: environment, shell: process.platform === 'win32' }),
)

const stop = () => {
  for (const child of children) child.kill()
}
for (const child of children) child.on('exit', stop)
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
