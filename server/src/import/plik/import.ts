import { importTokens, importUsers } from './import-accounts.ts'
import { importPage } from './import-uploads.ts'
import type { PlikImport } from './run.ts'

/**
 * Imports users, tokens, and uploads with their files, in transactions that follow one another: a second run continues
 * where the first one ended.
 * @throws CommandError when Plik's database cannot be read; what was imported until then stays
 */
export async function importPlik(run: PlikImport): Promise<void> {
  const users = await importUsers(run)
  await importTokens(run, users)
  for await (const page of run.source.uploads()) await importPage(run, page, users)
}
