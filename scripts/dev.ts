/**
 * Starts the server and Vite for development, and restarts the server when its sources change. Vite updates the page.
 *   npm run dev [-- --server-port 8090 --page-port 5174]
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { env } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const { values: ports } = parseArgs({
  options: { 'server-port': { type: 'string' }, 'page-port': { type: 'string' } },
})
const serverPort = ports['server-port'] ?? env['SVCD_LISTEN_PORT']
const pagePort = ports['page-port']

const server: readonly string[] = ['node', '--watch', 'server/src/main.ts', 'serve']
const page: readonly string[] = [
  ...['npm', 'run', '--silent', 'dev', '--workspace', '@svc/webapp'],
  ...(pagePort === undefined ? [] : ['--', '--port', pagePort]),
]

const environment =
  serverPort === undefined
    ? env
    : { ...env, SVCD_LISTEN_PORT: serverPort, SVC_SERVER: `http://127.0.0.1:${serverPort}` }

const children: ChildProcess[] = []
const stop = () => {
  for (const child of children) child.kill()
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)

function start([command = '', ...args]: readonly string[]): void {
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: environment,
    shell: process.platform === 'win32',
  })
  child.on('exit', stop)
  children.push(child)
}

/** Until the server listens, the first requests of a page would fail. A server that fails is waited for no longer. */
async function serverListens(): Promise<void> {
  for (let attempt = 0; attempt < 100 && children.every(({ exitCode }) => exitCode === null); attempt += 1) {
    try {
      await fetch(`http://127.0.0.1:${serverPort ?? '8080'}/health`)
      return
    } catch {
      await setTimeout(200)
    }
  }
}

start(server)
await serverListens()
start(page)
