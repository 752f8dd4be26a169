import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { userTokenKeys } from '../../domain/user-token-keys.ts'
import { textTypes } from './columns.ts'

/** Rows that are in memory at once. */
const batch = 1_000

/** Characters of an id; a user token has more. */
const idLength = 16

/** The tables as this migration finds them. */
interface Before {
  readonly tokens: { token: string; tokenHash: string; prefix: string }
  readonly uploads: { id: string; userToken: string | null }
}

/**
 * Tokens are kept as their hashes, under ids that are made of these; uploads name theirs by the id. Also for tokens:
 * scopes, and ends that move. Each part leaves alone what is done: MySQL begins an interrupted migration anew.
 */
export const hashedTokens = (traits: Capabilities): Migration => ({
  async up(db: Kysely<unknown>) {
    const { varchar } = textTypes(traits)
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

/** Those of tokens that are revoked, too. Uploads of one token are changed together. */
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
