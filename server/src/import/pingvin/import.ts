import { sql } from 'kysely'
import { argon2Hash } from '../../auth/imported-hashes.ts'
import { userID } from '../../domain/access/user-id.ts'
import { CommandError } from '../../domain/command-error.ts'
import { pagesOf, requireColumns, selectFrom, type SourceDatabase } from '../database.ts'
import { importUploads } from '../import-uploads.ts'
import { importUsers } from '../import-users.ts'
import { localUser } from '../records.ts'
import { flagOf, textOf, timeOf, type Row } from '../rows.ts'
import type { ImportRun } from '../run.ts'
import type { SourceUser } from '../source.ts'
import type { PingvinInstallation } from './installation.ts'
import { uploadOf, type ShareRows } from './shares.ts'

/** The newest migration whose source this import follows, of Pingvin Share X. Names begin with their time. */
const newestMigration = '20260917122508_show_auth_buttons'

const columns = {
  User: ['id', 'createdAt', 'username', 'email', 'password', 'isAdmin'],
  Share: ['id', 'createdAt', 'uploadLocked', 'views', 'expiration', 'description', 'creatorId'],
  File: ['id', 'createdAt', 'name', 'size', 'shareId'],
  ShareSecurity: ['password', 'maxViews', 'shareId'],
}

/**
 * Imports the users and shares of an installation of Pingvin Share.
 * @throws CommandError when its database is of another version or cannot be read; what was imported until then stays
 */
export async function importPingvin(
  run: ImportRun,
  { files }: PingvinInstallation,
  database: SourceDatabase,
): Promise<void> {
  await requireSchema(database)
  const ids = new Map<string, string>()
  const existing = await importUsers(run, sourceUsers(database, run.now, ids))
  const users = new Map([...ids].filter(([, id]) => existing.has(id)))
  for await (const shares of pagesOf(database, 'Share')) {
    const page = await withRows(database, shares)
    await importUploads(
      run,
      page.map((rows) => uploadOf(rows, { users, files, now: run.now })),
    )
  }
}

async function requireSchema(database: SourceDatabase): Promise<void> {
  requireColumns(database, columns, { service: 'Pingvin Share', versions: '1 or Pingvin Share X' })
  if (!database.columns.has('_prisma_migrations')) return
  const [row] = await database.read(
    sql<Row>`select migration_name as name from _prisma_migrations order by migration_name desc limit 1`,
  )
  const newest = row === undefined ? '' : textOf(row, 'name')
  if (newest > newestMigration)
    throw new CommandError(
      `the database is of a newer Pingvin Share (migration ${newest}), which this svcd cannot read: update svcd`,
    )
}

/** @param ids receives the id in this service of each id of a user */
async function* sourceUsers(
  database: SourceDatabase,
  now: number,
  ids: Map<string, string>,
): AsyncGenerator<readonly SourceUser[]> {
  for await (const rows of pagesOf(database, 'User'))
    yield rows.map((row) => {
      const login = textOf(row, 'username')
      const id = userID('local', login)
      ids.set(textOf(row, 'id'), id)
      const user = localUser({
        id,
        login,
        email: textOf(row, 'email'),
        passwordHash: argon2Hash(textOf(row, 'password')),
        isAdmin: flagOf(row, 'isAdmin'),
        createdAt: timeOf(row, 'createdAt') ?? now,
      })
      return { sourceId: login, user }
    })
}

async function withRows(database: SourceDatabase, shares: readonly Row[]): Promise<readonly ShareRows[]> {
  if (shares.length === 0) return []
  const ids = sql.join(shares.map((row) => sql`${row['id']}`))
  const files = await database.read(
    sql<Row>`${selectFrom(database, 'File')} where shareId in (${ids}) order by name, id`,
  )
  const securities = await database.read(
    sql<Row>`${selectFrom(database, 'ShareSecurity')} where shareId in (${ids})`,
  )
  const filesOf = Map.groupBy(files, (row) => textOf(row, 'shareId'))
  const securityOf = new Map(securities.map((row) => [textOf(row, 'shareId'), row]))
  return shares.map((share) => {
    const id = textOf(share, 'id')
    return { share, security: securityOf.get(id) ?? null, files: filesOf.get(id) ?? [] }
  })
}
