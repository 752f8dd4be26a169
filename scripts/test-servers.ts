/**
 * Throwaway database servers for tests, from what the machine has installed (Debian: postgresql, mariadb-server).
 * They listen on a free port of 127.0.0.1, keep everything in a temporary folder, and promise nothing about crashes.
 *
 * Run by itself, it starts what there is and prints the addresses until it is stopped:
 *   node scripts/test-servers.ts
 */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type TestServerKind = 'postgres' | 'mysql'

export interface DatabaseServer {
  /** Makes an empty database. @returns its address */
  create(): Promise<string>
  /** Ends the server, as an administrator would; what is in it stays. */
  stop(): Promise<void>
  /** Starts it again, on the same port. */
  start(): Promise<void>
  /** Ends it for ever. */
  remove(): Promise<void>
}

interface Recipe {
  /** The system's user that runs the server when we are root, whom these servers refuse. */
  readonly user: string
  /** Programs, by the folders they are in. @returns null when they are not installed */
  readonly find: () => string | null
  readonly initialize: (at: Place) => readonly string[]
  readonly serve: (at: Place) => readonly string[]
  readonly ping: (at: Place) => readonly string[]
  readonly create: (at: Place, name: string) => readonly string[]
  readonly url: (at: Place, name: string) => string
  readonly stopSignal: NodeJS.Signals
}

interface Place {
  readonly bin: string
  readonly folder: string
  readonly port: number
  /** Who runs the server. */
  readonly user: string
}

const postgres: Recipe = {
  user: 'postgres',
  find: () => {
    const folders = globSync('/usr/lib/postgresql/*/bin')
    const version = (folder: string) => Number(folder.split('/').at(-2))
    return folders.toSorted((a, b) => version(b) - version(a)).find(holds('initdb')) ?? null
  },
  initialize: ({ bin, folder }) => [
    ...[join(bin, 'initdb'), '-D', join(folder, 'data'), '-U', 'svc', '--auth=trust', '--no-sync'],
    ...['--no-instructions', '--locale=C.UTF-8', '-E', 'UTF8'],
  ],
  serve: ({ bin, folder, port }) => [
    ...[join(bin, 'postgres'), '-D', join(folder, 'data'), '-p', String(port), '-k', folder],
    ...['listen_addresses=127.0.0.1', 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off'].flatMap(
      set,
    ),
    ...['shared_buffers=32MB', 'max_connections=100'].flatMap(set),
  ],
  ping: ({ bin, port }) => [
    join(bin, 'pg_isready'),
    '-q',
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-U',
    'svc',
  ],
  create: ({ bin, port }, name) => [
    ...[join(bin, 'createdb'), '-h', '127.0.0.1', '-p', String(port), '-U', 'svc', name],
  ],
  url: ({ port }, name) => `postgres://svc@127.0.0.1:${String(port)}/${name}`,
  // Does not wait for clients.
  stopSignal: 'SIGINT',
}

const set = (setting: string) => ['-c', setting]

const mariadb: Recipe = {
  user: 'mysql',
  find: () =>
    ['mariadb-install-db', 'mariadb-admin'].every((name) => holds(name)('/usr/bin')) ? '/usr/bin' : null,
  initialize: ({ bin, folder, user }) => [
    ...[
      join(bin, 'mariadb-install-db'),
      '--no-defaults',
      `--user=${user}`,
      `--datadir=${join(folder, 'data')}`,
    ],
    ...['--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve'],
    ...['--innodb-log-file-size=8M', '--innodb-buffer-pool-size=32M'],
  ],
  serve: ({ folder, port, user }) => [
    ...['/usr/sbin/mariadbd', '--no-defaults', `--user=${user}`, `--datadir=${join(folder, 'data')}`],
    ...[`--socket=${join(folder, 'socket')}`, `--pid-file=${join(folder, 'pid')}`],
    ...['--bind-address=127.0.0.1', `--port=${String(port)}`, '--skip-name-resolve', '--skip-log-bin'],
    ...['--character-set-server=utf8mb4', '--innodb-buffer-pool-size=64M', '--innodb-log-file-size=8M'],
    ...['--innodb-flush-log-at-trx-commit=0', '--max-connections=200'],
  ],
  ping: ({ bin, port }) => [...admin(bin, port), 'ping'],
  create: ({ bin, port }, name) => [...admin(bin, port), 'create', name],
  url: ({ port }, name) => `mysql://root@127.0.0.1:${String(port)}/${name}`,
  stopSignal: 'SIGTERM',
}

const admin = (bin: string, port: number) => [
  ...[join(bin, 'mariadb-admin'), '--no-defaults', '-h', '127.0.0.1', '-P', String(port), '-u', 'root'],
]

const holds = (name: string) => (folder: string) => existsSync(join(folder, name))

const recipes: Readonly<Record<TestServerKind, Recipe>> = { postgres, mysql: mariadb }

/** Why there can be no such server here; null when there can. */
export function whyNot(kind: TestServerKind): string | null {
  const package_ = kind === 'postgres' ? 'postgresql' : 'mariadb-server'
  if (recipes[kind].find() === null) return `${package_} is not installed`
  if (process.platform === 'win32') return 'the recipes are for Unix'
  return null
}

/** @throws when it is not installed or does not come up */
export async function startDatabaseServer(kind: TestServerKind): Promise<DatabaseServer> {
  const recipe = recipes[kind]
  const bin = recipe.find()
  if (bin === null) throw new Error(`${kind}: ${String(whyNot(kind))}`)
  const folder = mkdtempSync(join(tmpdir(), `svc-${kind}-`))
  const identity = identityOf(recipe.user)
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'data'))
  if (identity.uid !== undefined) {
    for (const path of [folder, join(folder, 'data')]) chownSync(path, identity.uid, identity.gid ?? -1)
  }
  const place: Place = { bin, folder, port: await freePort(), user: identity.user }
  const ids = { ...(identity.uid !== undefined && { uid: identity.uid, gid: identity.gid }), cwd: '/' }

  let server: ChildProcess | undefined
  const killAtExit = () => server?.kill('SIGKILL')
  process.on('exit', killAtExit)
  const start = async () => {
    const log = openSync(join(folder, 'log'), 'a')
    const [program = '', ...args] = recipe.serve(place)
    const child = spawn(program, args, { ...ids, stdio: ['ignore', log, log] })
    server = child
    const [ping = '', ...pingArgs] = recipe.ping(place)
    for (;;) {
      if (child.exitCode !== null)
        throw new Error(`${kind} did not start: ${await readFile(join(folder, 'log'), 'utf8')}`)
      try {
        await run(ping, pingArgs)
        return
      } catch {
        await wait(25)
      }
    }
  }
  const stop = async () => {
    if (server?.exitCode !== null) return
    const ended = once(server, 'exit')
    server.kill(recipe.stopSignal)
    await ended
  }

  const [program = '', ...args] = recipe.initialize(place)
  await run(program, args, ids)
  await start()
  let made = 0
  return {
    async create() {
      const name = `svc${String((made += 1))}`
      const [create = '', ...createArgs] = recipe.create(place, name)
      await run(create, createArgs)
      return recipe.url(place, name)
    },
    stop,
    start,
    async remove() {
      await stop()
      process.off('exit', killAtExit)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Identity {
  readonly user: string
  /** Absent when it is who we are already. */
  readonly uid?: number
  readonly gid?: number
}

function identityOf(user: string): Identity {
  const id = (...args: readonly string[]) => execFileSync('id', args, { encoding: 'utf8' }).trim()
  if (process.getuid?.() !== 0) return { user: id('-un') }
  return { user, uid: Number(id('-u', user)), gid: Number(id('-g', user)) }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

if (import.meta.main) {
  const servers: DatabaseServer[] = []
  for (const kind of ['postgres', 'mysql'] as const) {
    const reason = whyNot(kind)
    if (reason !== null) {
      console.error(`${kind}: skipped, ${reason}`)
      continue
    }
    const server = await startDatabaseServer(kind)
    servers.push(server)
    console.log(`${kind}: ${await server.create()}`)
  }
  console.log('stop them with Ctrl-C')
  const stop = () => {
    void Promise.all(servers.map((server) => server.remove())).then(() => process.exit())
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
}
