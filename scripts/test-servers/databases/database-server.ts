import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { identityOf, startDaemon, type Daemon } from '../daemon.ts'
import { newFolder, removeFolder } from '../folders.ts'
import { freePorts } from '../free-ports.ts'
import type { DatabaseInstallation, DatabaseRecipe } from './database-recipe.ts'
import { missingProgramsOf, type DatabaseKind } from '../kinds.ts'
import { mariadb } from './mariadb.ts'
import { postgres } from './postgres.ts'

const run = promisify(execFile)

export interface DatabaseServer {
  /**
   * Creates an empty database.
   * @returns its address
   */
  create(): Promise<string>
  /**
   * Deletes a database, and ends its connections.
   * @param address address that `create` returned
   */
  drop(address: string): Promise<void>
  /** Stops the server gracefully; its data stays. */
  stop(): Promise<void>
  /** Starts the server again, on the same port. */
  start(): Promise<void>
  /** Stops the server and deletes its data. */
  remove(): Promise<void>
}

const recipes: Readonly<Record<DatabaseKind, DatabaseRecipe>> = { postgres, mysql: mariadb }

export interface DatabaseOptions {
  /** Keeps the data in memory, where the machine has enough. */
  readonly isInMemory?: boolean
}

/** @throws when the database is not installed or does not start */
export async function startDatabaseServer(
  kind: DatabaseKind,
  { isInMemory = false }: DatabaseOptions = {},
): Promise<DatabaseServer> {
  const recipe = recipes[kind]
  const bin = recipe.find()
  if (bin === null) throw new Error(`${kind}: ${String(missingProgramsOf(kind))}`)
  const identity = identityOf(recipe.user)
  const folder = newFolder(kind, { identity, children: ['data', 'temporary'], isInMemory })
  const [port = 0] = await freePorts(1)
  const place: DatabaseInstallation = { bin, folder, port, user: identity.user }
  const call = ([program = '', ...args]: readonly string[]) => run(program, args)

  let server: Daemon | undefined
  const start = async () => {
    server = startDaemon(recipe.serve(place), { ...identity, log: join(folder, 'log') })
    await server.ready(() => call(recipe.ping(place)))
  }
  const stop = async () => {
    await server?.stop(recipe.stopSignal)
  }

  const [program = '', ...args] = recipe.initialize(place)
  await run(program, args, { ...identity.ids, cwd: '/' })
  await start()
  let made = 0
  return {
    async create() {
      const name = `svc${String((made += 1))}`
      await call(recipe.create(place, name))
      return recipe.url(place, name)
    },
    async drop(address) {
      await call(recipe.drop(place, new URL(address).pathname.slice(1)))
    },
    stop,
    start,
    async remove() {
      await stop()
      await removeFolder(folder)
    },
  }
}
