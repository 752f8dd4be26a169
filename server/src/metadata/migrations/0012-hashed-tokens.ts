import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { userTokenKeys } from '../../domain/user-token-keys.ts'
import { textTypes } from './columns.ts'

/** The number of rows per query. */
const batch = 1_000

/** Characters of an id; a user token has more. */
const idLength = 16

/** The tables before this migration. */
interface Before {
  readonly tokens: { token: string; tokenHash: string; prefix: string }
  readonly uploads: { id: string; userToken: string | null }
}

/**
 * Stores hashes of tokens instead of tokens, with ids derived from the hashes; uploads refer to their token by its id.
 * Also adds scopes and renewal of tokens. Each step skips completed work, because MySQL restarts an interrupted migration.
 */
export const hashedTokens = (capabilities: Capabilities): Migration => ({
  async up(db: Kysely<unknown>) {
    const { varchar } = textTypes(capabilities)
    const tokens = () => db.schema.alterTable('tokens')
    await tokens()
      .addColumn('tokenHash', varchar(43), (c) => c.notNull().defaultTo(''))
      .execute()
    await tokens()
      .addColumn('prefix', varchar(9), (c) => c.notNull().defaultTo(''))
      .execute()
    await tokens().addColumn('scopes', varchar(64)).execute()
    await tokens().addColumn('renewal', 'bigint').execute()
    await db.schema
      .alterTable('cliLogins')
      .addColumn('address', varchar(45), (c) => c.notNull().defaultTo(''))
      .execute()
    if (!(await hasWholeTokens(db))) return
    await hashTokens(db)
    await nameTokensById(db)
    await tokens().renameColumn('token', 'id').execute()
  },
})

async function hasWholeTokens(db: Kysely<unknown>): Promise<boolean> {
  const tables = await db.introspection.getTables()
  const columns = tables.find(({ name }) => name === 'tokens')?.columns ?? []
  return columns.some(({ name }) => name === 'token')
}

async function hashTokens(db: Kysely<Before>): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('tokens')
      .select('token')
      .where('tokenHash', '=', '')
      .limit(batch)
      .execute()
    for (const { token } of rows) {
      const { id, tokenHash, prefix } = userTokenKeys(token)
      const changes = { token: id, tokenHash, prefix }
      await db.updateTable('tokens').set(changes).where('token', '=', token).execute()
    }
    if (rows.length < batch) return
  }
}

/** Includes uploads of revoked tokens. Uploads of one token are updated together. */
async function nameTokensById(db: Kysely<Before>): Promise<void> {
  let last = ''
  for (;;) {
    const rows = await db
      .selectFrom('uploads')
      .select(['id', 'userToken'])
      .where('userToken', 'is not', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(batch)
      .execute()
    for (const [token, uploads] of Map.groupBy(rows, ({ userToken }) => userToken ?? '')) {
      if (token.length === idLength) continue
      const ids = uploads.map(({ id }) => id)
      const changes = { userToken: userTokenKeys(token).id }
      await db.updateTable('uploads').set(changes).where('id', 'in', ids).execute()
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < batch) return
    last = end.id
  }
}
