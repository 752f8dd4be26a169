import type { SessionRecord, UserRecord } from '../../domain/records.ts'
import { changed, prepared, type Db } from '../query/prepared.ts'

/** The user of a session, with the times of the session. */
export type SessionUser = UserRecord & {
  readonly sessionUsedAt: number
  readonly sessionExpireAt: number
}

const findUser = prepared<{ id: string }, SessionUser>((db, value) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .selectAll('users')
    .select(['sessions.usedAt as sessionUsedAt', 'sessions.expireAt as sessionExpireAt'])
    .where('sessions.id', '=', value('id'))
    .where('users.removedAt', 'is', null),
)

/** Queries of the table `sessions`. */
export function sessionQueries(db: Db) {
  return {
    async insert(row: SessionRecord): Promise<void> {
      await db.insertInto('sessions').values(row).execute()
    },

    /** The user of a session, even of an expired one. */
    findUser: async (id: string): Promise<SessionUser | undefined> => (await findUser(db, { id })).rows[0],

    /** The sessions of a user, newest first. */
    list: (userId: string): Promise<SessionRecord[]> =>
      db
        .selectFrom('sessions')
        .selectAll()
        .where('userId', '=', userId)
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .execute(),

    async setLastUsed(id: string, usedAt: number): Promise<void> {
      await db.updateTable('sessions').set({ usedAt }).where('id', '=', id).execute()
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom('sessions').where('id', '=', id).execute()
    },

    /** @returns false when the user has no such session */
    async removeOf(userId: string, id: string): Promise<boolean> {
      const query = db.deleteFrom('sessions').where('userId', '=', userId).where('id', '=', id)
      return changed(await db.executeQuery(query))
    },

    /** Ends all sessions of a user but one. */
    async removeOthers(userId: string, except: string | null): Promise<void> {
      const ofUser = db.deleteFrom('sessions').where('userId', '=', userId)
      await (except === null ? ofUser : ofUser.where('id', '!=', except)).execute()
    },

    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('sessions').where('expireAt', '<=', now).execute()
    },
  }
}
