import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { serverProcess } from '../../../scripts/server-process.mjs'

const root = path.join(import.meta.dirname, '../../..')
const addressLine = /^svcd listens on (\S+)$/

export interface StartedServer {
  /** Without a slash at its end. */
  readonly url: string
  readonly stop: () => Promise<void>
}

async function address(process: ChildProcess): Promise<string> {
  if (!process.stdout) throw new Error('the server has no output')
  const lines: string[] = []
  for await (const line of createInterface({ input: process.stdout })) {
    lines.push(line)
    const found = addressLine.exec(line)?.[1]
    if (found !== undefined) return found.replace(/\/+$/, '')
  }
  throw new Error(`the server ended before it listened:\n${lines.join('\n')}`)
}

/**
 * Starts the real server on throwaway data and a free port.
 * @param settings configuration keys as environment names without their prefix, such as `MAX_FILE_SIZE_STR`
 */
export async function startServer(settings: Readonly<Record<string, string>> = {}): Promise<StartedServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-e2e-'))
  const environment = {
    LISTEN_ADDRESS: '127.0.0.1',
    LISTEN_PORT: '0',
    LOG_LEVEL: 'warn',
    MIN_FREE_SPACE_STR: '0',
    WEBAPP_DIRECTORY: path.join(root, 'webapp/dist'),
    DATA_BACKEND_CONFIG: JSON.stringify({ Directory: path.join(folder, 'files') }),
    METADATA_BACKEND_CONFIG: JSON.stringify({
      Driver: 'sqlite3',
      ConnectionString: path.join(folder, 'svc.db'),
    }),
    ...settings,
  }
  const server = serverProcess(['serve'])
  const child = spawn(server.command, server.args, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      ...server.env,
      ...Object.fromEntries(Object.entries(environment).map(([key, value]) => [`SVCD_${key}`, value])),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const url = await address(child)
  child.stdout.resume()
  return {
    url,
    stop: async () => {
      // Twice: it must not wait for transfers that a test left open.
      child.kill('SIGTERM')
      child.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
