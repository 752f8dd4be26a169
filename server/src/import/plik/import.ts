import { importUploads } from '../import-uploads.ts'
import { importUsers } from '../import-users.ts'
import { textOf } from '../rows.ts'
import type { ImportRun } from '../run.ts'
import type { SourceUser } from '../source.ts'
import { userOf } from './accounts.ts'
import type { OpenPlikFile } from './content.ts'
import type { PlikDatabase } from './database.ts'
import { reportOrphans, uploadsOf } from './page.ts'
import { importTokens } from './tokens.ts'

/** An installation of Plik that is open. */
export interface PlikSource {
  readonly database: PlikDatabase
  readonly openFile: OpenPlikFile
}

/**
 * Imports users, tokens, and uploads with their files, in transactions that follow one another: a second run continues
 * where the first one ended.
 * @throws CommandError when Plik's database cannot be read; what was imported until then stays
 */
export async function importPlik(run: ImportRun, { database, openFile }: PlikSource): Promise<void> {
  const { now, findings } = run
  const users = await importUsers(run, sourceUsers(database, now))
  await importTokens(run, database, users)
  for await (const page of database.uploads()) {
    reportOrphans(page, findings)
    await importUploads(run, uploadsOf(page, { users, now, openFile }))
  }
}

async function* sourceUsers(database: PlikDatabase, now: number): AsyncGenerator<readonly SourceUser[]> {
  for await (const rows of database.users())
    yield rows.map((row) => ({ sourceId: textOf(row, 'id'), user: userOf(row, now) }))
}
