import type { TokenRecord, UserRecord } from '../../domain/records.ts'
import { countRows, pageOf, type PageQuery, type PageOf } from '../query/page.ts'
import { hasChangedRows, preparedQuery, type Db } from '../query/prepared.ts'

/** The user of a token, with the columns of the token. */
export type TokenUser = UserRecord & {
  readonly tokenHash: string
  readonly tokenScopes: string | null
  readonly tokenUsedAt: number | null
  readonly tokenExpireAt: number | null
  readonly tokenRenewal: number | null
}

const findUser = preparedQuery<{ id: string }, TokenUser>((db, value) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.userId')
    .selectAll('users')
    .select([
      'tokens.tokenHash',
      'tokens.scopes as tokenScopes',
      'tokens.usedAt as tokenUsedAt',
      'tokens.expireAt as tokenExpireAt',
      'tokens.renewal as tokenRenewal',
    ])
    .where('tokens.id', '=', value('id'))
    .where('users.removedAt', 'is', null),
)

/** Queries of the table `tokens`. */
export function tokenQueries(db: Db) {
  return {
    async insert(row: TokenRecord): Promise<void> {
      await db.insertInto('tokens').values(row).execute()
    },

    /** The user of a token, even of an expired one. */
    findUser: async (id: string): Promise<TokenUser | undefined> => (await findUser(db, { id })).rows[0],

    /** A page of the tokens of a user, ordered by date. */
    async page(userId: string, query: PageQuery): Promise<PageOf<TokenRecord>> {
      const ofUser = db.selectFrom('tokens').where('userId', '=', userId)
      return pageOf(
        query,
        { sort: 'createdAt', id: 'id' },
        {
          rows: (applyPage) => applyPage(ofUser.selectAll()).execute(),
          count: (atMost) => countRows(db, ofUser, 'tokens.id', atMost),
        },
      )
    },

    /** @param expireAt ms; if absent, the expiry does not change */
    async setLastUsed(id: string, usedAt: number, expireAt?: number): Promise<void> {
      const changes = { usedAt, ...(expireAt !== undefined && { expireAt }) }
      await db.updateTable('tokens').set(changes).where('id', '=', id).execute()
    },

    /** The number of tokens of a user. */
    count: (userId: string): Promise<number> =>
      countRows(db, db.selectFrom('tokens').where('userId', '=', userId), 'tokens.id', undefined),

    async removeExpired(userId: string, now: number): Promise<void> {
      await db.deleteFrom('tokens').where('userId', '=', userId).where('expireAt', '<=', now).execute()
    },

    /** @returns false when the user has no such token */
    async remove(userId: string, id: string): Promise<boolean> {
      const query = db.deleteFrom('tokens').where('userId', '=', userId).where('id', '=', id)
      return hasChangedRows(await db.executeQuery(query))
    },

    /** Revokes all tokens of a user. */
    async removeAll(userId: string): Promise<void> {
      await db.deleteFrom('tokens').where('userId', '=', userId).execute()
    },
  }
}
