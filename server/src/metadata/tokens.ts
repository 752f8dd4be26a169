import type { TokenRecord, UserRecord } from '../domain/records.ts'
import { countRows, pageOf, type PageQuery, type PageOf } from './page.ts'
import { changed, prepared, type Db } from './prepared.ts'

/** A token's user, with what has to be known of the token. */
export type TokenUser = UserRecord & {
  readonly tokenUsedAt: number | null
  readonly tokenExpireAt: number | null
}

const findUser = prepared<{ token: string }, TokenUser>((db, value) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.userId')
    .selectAll('users')
    .select(['tokens.usedAt as tokenUsedAt', 'tokens.expireAt as tokenExpireAt'])
    .where('tokens.token', '=', value('token'))
    .where('users.removedAt', 'is', null),
)

/** Queries of the table `tokens`. */
export function tokenQueries(db: Db) {
  return {
    async insert(row: TokenRecord): Promise<void> {
      await db.insertInto('tokens').values(row).execute()
    },

    /** Whose token it is. A token whose time is over is found too. */
    findUser: async (token: string): Promise<TokenUser | undefined> =>
      (await findUser(db, { token })).rows[0],

    /** A page of the tokens of a user, by their date. */
    async page(userId: string, query: PageQuery): Promise<PageOf<TokenRecord>> {
      const ofUser = db.selectFrom('tokens').where('userId', '=', userId)
      return pageOf(
        query,
        { sort: 'createdAt', id: 'token' },
        {
          rows: (narrow) => narrow(ofUser.selectAll()).execute(),
          count: (atMost) => countRows(db, ofUser, 'tokens.token', atMost),
        },
      )
    },

    async used(token: string, usedAt: number): Promise<void> {
      await db.updateTable('tokens').set({ usedAt }).where('token', '=', token).execute()
    },

    /** @returns false when the user has no such token */
    async remove(userId: string, token: string): Promise<boolean> {
      const query = db.deleteFrom('tokens').where('userId', '=', userId).where('token', '=', token)
      return changed(await db.executeQuery(query))
    },
  }
}
