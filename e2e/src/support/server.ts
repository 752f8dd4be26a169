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
  /** The folder of everything that it stores: the database, and the files below `files`. */
  readonly folder: string
  /** Its whole output: the log. */
  readonly output: () => string
  /** Restarts it as an update does, on the same data and port. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

interface Running {
  readonly child: ChildProcess
  readonly url: string
}

/** @param onOutput called with each line of its output */
async function run(
  folder: string,
  settings: Readonly<Record<string, string>>,
  onOutput: (line: string) => void,
): Promise<Running> {
  const server = serverProcess(['serve'])
  const child = spawn(server.command, server.args, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      ...server.env,
      ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`SVCD_${key}`, value])),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  // The log helps to find the cause of a failed test, too.
  child.stderr.pipe(process.stderr, { end: false })
  createInterface({ input: child.stderr }).on('line', onOutput)
  const lines: string[] = []
  createInterface({ input: child.stdout })
    .on('line', (line) => {
      lines.push(line)
      onOutput(line)
      const found = addressLine.exec(line)?.[1]
      if (found !== undefined) resolve(found.replace(/\/+$/, ''))
    })
    .on('close', () => reject(new Error(`the server ended before it listened:\n${lines.join('\n')}`)))
  return { child, url: await promise }
}

async function end(child: ChildProcess, ...signals: readonly NodeJS.Signals[]): Promise<void> {
  const ended = once(child, 'exit')
  for (const signal of signals) child.kill(signal)
  await ended
}

/**
 * Starts the real server on temporary data and a free port.
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
  const lines: string[] = []
  const start = (more: Readonly<Record<string, string>> = {}) =>
    run(folder, { ...environment, ...more }, (line) => lines.push(line))
  let running = await start()
  const { url } = running
  return {
    url,
    folder,
    output: () => lines.join('\n'),
    restart: async () => {
      await end(running.child, 'SIGTERM')
      running = await start({ LISTEN_PORT: new URL(url).port })
    },
    stop: async () => {
      // Twice: it must not wait for transfers that a test left open.
      await end(running.child, 'SIGTERM', 'SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
