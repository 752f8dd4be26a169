import type { SessionRecord, UserRecord } from '../../domain/records.ts'
import { padKeys } from '../query/padded-keys.ts'
import { hasChangedRows, preparedQuery, type Db } from '../query/prepared.ts'

/** The user of a session, with the times of the session. */
export type SessionUser = UserRecord & {
  readonly sessionUsedAt: number
  readonly sessionExpireAt: number
}

const findUser = preparedQuery<{ id: string }, SessionUser>((db, value) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .selectAll('users')
    .select(['sessions.usedAt as sessionUsedAt', 'sessions.expireAt as sessionExpireAt'])
    .where('sessions.id', '=', value('id'))
    .where('users.removedAt', 'is', null),
)

const newestFirst = (db: Db, userId: string) =>
  db.selectFrom('sessions').where('userId', '=', userId).orderBy('createdAt', 'desc').orderBy('id')

/** The number of sessions per deletion. */
const batchSize = 500

/** Queries of the table `sessions`. */
export function sessionQueries(db: Db) {
  return {
    async insert(row: SessionRecord): Promise<void> {
      await db.insertInto('sessions').values(row).execute()
    },

    /** The user of a session, even of an expired one. */
    findUser: async (id: string): Promise<SessionUser | undefined> => (await findUser(db, { id })).rows[0],

    /** The newest sessions of a user. */
    list: (userId: string, limit: number): Promise<SessionRecord[]> =>
      newestFirst(db, userId).selectAll().limit(limit).execute(),

    /** Ends all sessions of a user except the newest `keep`. */
    async removeOldest(userId: string, keep: number): Promise<void> {
      let ended: readonly { id: string }[]
      do {
        ended = await newestFirst(db, userId).select('id').offset(keep).limit(batchSize).execute()
        const ids = ended.map(({ id }) => id)
        if (ids.length > 0) await db.deleteFrom('sessions').where('id', 'in', padKeys(ids)).execute()
      } while (ended.length === batchSize)
    },

    async setLastUsed(id: string, usedAt: number): Promise<void> {
      await db.updateTable('sessions').set({ usedAt }).where('id', '=', id).execute()
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom('sessions').where('id', '=', id).execute()
    },

    /** @returns false when the user has no such session */
    async removeOf(userId: string, id: string): Promise<boolean> {
      const query = db.deleteFrom('sessions').where('userId', '=', userId).where('id', '=', id)
      return hasChangedRows(await db.executeQuery(query))
    },

    /** Ends all sessions of a user except one. */
    async removeOthers(userId: string, except: string | null): Promise<void> {
      const ofUser = db.deleteFrom('sessions').where('userId', '=', userId)
      await (except === null ? ofUser : ofUser.where('id', '!=', except)).execute()
    },

    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('sessions').where('expireAt', '<=', now).execute()
    },
  }
}
