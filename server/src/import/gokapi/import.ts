import { sql } from 'kysely'
import { userID } from '../../domain/access/user-id.ts'
import { CommandError } from '../../domain/command-error.ts'
import { pagesOf, requireColumns, type SourceDatabase } from '../database.ts'
import { importUploads } from '../import-uploads.ts'
import { importUsers } from '../import-users.ts'
import { localUser } from '../records.ts'
import { integerOf, textOf, type Row } from '../rows.ts'
import type { ImportRun } from '../run.ts'
import type { SourceUser } from '../source.ts'
import { uploadOf } from './files.ts'
import type { GokapiInstallation } from './installation.ts'

/** The versions of the schema whose source this import follows: Gokapi 2.0.0 to 2.2.5. */
const schema = { oldest: 10, newest: 15 }

const columns = {
  Users: ['Id', 'Name', 'Userlevel'],
  FileMetaData: [
    'Id',
    'Name',
    'SHA1',
    'ExpireAt',
    'SizeBytes',
    'DownloadsRemaining',
    'PasswordHash',
    'HotlinkId',
    'AwsBucket',
    'Encryption',
    'UnlimitedDownloads',
    'UnlimitedTime',
    'UserId',
  ],
  ApiKeys: ['Id'],
}

/**
 * Imports the users and files of an installation of Gokapi.
 * @throws CommandError when its database is of another version or cannot be read; what was imported until then stays
 */
export async function importGokapi(
  run: ImportRun,
  { files, salt }: GokapiInstallation,
  database: SourceDatabase,
): Promise<void> {
  await requireSchema(database)
  const numbers = new Map<string, string>()
  const existing = await importUsers(run, sourceUsers(database, run.now, numbers))
  const users = new Map([...numbers].filter(([, id]) => existing.has(id)))
  await reportKeys(run, database)
  for await (const rows of pagesOf(database, 'FileMetaData'))
    await importUploads(
      run,
      rows.map((row) => uploadOf(row, { users, files, salt, now: run.now })),
    )
}

async function requireSchema(database: SourceDatabase): Promise<void> {
  const [row] = await database.read(sql<Row>`pragma user_version`)
  const version = row === undefined ? 0 : integerOf(row, 'user_version')
  if (version > schema.newest)
    throw new CommandError(
      `the database is of a newer Gokapi (schema ${String(version)}), which this svcd cannot read: update svcd`,
    )
  requireColumns(database, columns, { service: 'Gokapi', versions: '2.0.0 to 2.2.5' })
  if (version < schema.oldest)
    throw new CommandError(
      `the database is of an older Gokapi (schema ${String(version)}): update Gokapi to 2.0.0 or later, and start it once`,
    )
}

/** @param numbers receives the id in this service of each number of a user */
async function* sourceUsers(
  database: SourceDatabase,
  now: number,
  numbers: Map<string, string>,
): AsyncGenerator<readonly SourceUser[]> {
  for await (const rows of pagesOf(database, 'Users'))
    yield rows.map((row) => {
      const login = textOf(row, 'Name')
      const id = userID('local', login)
      numbers.set(textOf(row, 'Id'), id)
      const isAdmin = integerOf(row, 'Userlevel') < 2
      // SHA-1 with one salt for all users: too weak to keep.
      return {
        sourceId: login,
        user: localUser({ id, login, email: '', passwordHash: null, isAdmin, createdAt: now }),
      }
    })
}

/** API keys have another format than tokens of this service. */
async function reportKeys({ findings }: ImportRun, { read }: SourceDatabase): Promise<void> {
  const [row] = await read(sql<Row>`select count(*) as keys from ApiKeys`)
  const keys = row === undefined ? 0 : integerOf(row, 'keys')
  if (keys > 0)
    findings.add({
      kind: 'changed',
      sourceId: '',
      file: null,
      detail: `${String(keys)} API keys were not imported: their users create tokens here`,
    })
}
