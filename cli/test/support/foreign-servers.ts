import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import { until } from '../../../server/test/support/until.ts'

/** A web server that is not one of this project. */
export interface ForeignServer extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly url: string
}

const local = (port: number) => `http://127.0.0.1:${String(port)}`

async function responding(url: string, child: ChildProcess): Promise<ForeignServer> {
  await until(`${url} responds`, () => {
    if (child.exitCode !== null) throw new Error('the server did not start')
    return fetch(url).then(
      () => true,
      () => false,
    )
  })
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'close')
      // After SIGKILL, nginx would leave its worker.
      child.kill('SIGTERM')
      await ended
    },
  }
}

/**
 * nginx with the files of a folder.
 * @param directory folder for the files of nginx
 * @param settings lines of its `server` block
 */
export async function startNginx(directory: string, root: string, settings = ''): Promise<ForeignServer> {
  const port = await freePort()
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(directory, name)};`)
    .join(' ')
  const file = join(directory, 'nginx.conf')
  const who = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(
    file,
    `daemon off; ${who} pid ${directory}/pid; error_log ${directory}/error.log; events {}
    http { access_log off; default_type application/octet-stream; ${folders}
    server { listen 127.0.0.1:${String(port)}; root ${root}; ${settings} } }`,
  )
  const options = ['-p', directory, '-e', join(directory, 'error.log'), '-c', file]
  return responding(local(port), spawn('/usr/sbin/nginx', options, { stdio: 'ignore' }))
}

/** Python's own server, which knows no ranges. */
export async function startPythonServer(root: string): Promise<ForeignServer> {
  const port = await freePort()
  const line = ['-m', 'http.server', '--bind', '127.0.0.1', '--directory', root, String(port)]
  return responding(local(port), spawn('python3', line, { stdio: 'ignore' }))
}

/**
 * A server of tus 1.0 by other authors, with uploads at `/files`.
 * @param store its folder
 */
export async function startTusServer(store: string): Promise<ForeignServer> {
  const port = await freePort()
  const program = join(import.meta.dirname, 'tus-server-process.ts')
  return responding(
    local(port),
    spawn(process.execPath, [program, String(port), store], { stdio: ['ignore', 'ignore', 'inherit'] }),
  )
}

/** A server that responds as a test says. */
export async function startServer(listener: RequestListener): Promise<ForeignServer> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: local((server.address() as AddressInfo).port),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await server[Symbol.asyncDispose]()
    },
  }
}
