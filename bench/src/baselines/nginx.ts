import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import type { Bench } from '../bench.ts'
import { start, type RunningChild } from '../processes/child.ts'

/** nginx with one worker and sendfile: the limit of the kernel. */
export interface Nginx extends AsyncDisposable {
  /** Address of a file. */
  readonly urlOf: (name: string) => string
}

/** @param files path by name, served unchanged */
export async function startNginx(bench: Bench, files: Readonly<Record<string, string>>): Promise<Nginx> {
  const directory = await bench.newDirectory('nginx')
  const [root, port] = await Promise.all([linkFiles(directory, files), freePort()])
  const settings = path.join(directory, 'nginx.conf')
  await writeFile(settings, configuration({ directory, root, port }))
  const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}${path.delimiter}/usr/sbin` }
  // nginx opens its default log before it has read the configuration of the log.
  const running = start('nginx', ['-p', directory, '-c', settings], { env, stdio: 'ignore' })
  try {
    await accepting(running, port, bench.signal)
  } catch (error) {
    await running[Symbol.asyncDispose]()
    throw error
  }
  return {
    urlOf: (name) => `http://127.0.0.1:${String(port)}/${name}`,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  }
}

async function linkFiles(directory: string, files: Readonly<Record<string, string>>): Promise<string> {
  const root = path.join(directory, 'files')
  await mkdir(root)
  for (const [name, target] of Object.entries(files)) await symlink(target, path.join(root, name))
  return root
}

interface Settings {
  readonly directory: string
  readonly root: string
  readonly port: number
}

const configuration = ({ directory, root, port }: Settings): string => `
daemon off;
worker_processes 1;
pid ${directory}/nginx.pid;
error_log ${directory}/error.log warn;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  access_log off;
  default_type application/octet-stream;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  server { listen 127.0.0.1:${String(port)}; root ${root}; }
}
`

const attempts = 100
const pauseMs = 50

async function accepting({ child }: RunningChild, port: number, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (child.exitCode !== null) break
    if (await accepts(port)) return
    await wait(pauseMs, undefined, { signal })
  }
  throw new Error('nginx did not start')
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
