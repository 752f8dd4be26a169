import type { UserRecord } from '../domain/records.ts'
import type { Traits } from './dialects/dialect.ts'
import type { PageQuery } from './page.ts'
import { changed, prepared, type Db } from './prepared.ts'
import { searchUsers, userPage, type UserFilter } from './user-listing.ts'

/** What can be changed of a user. */
export type UserChanges = Partial<Omit<UserRecord, 'id' | 'provider' | 'usedSize' | 'createdAt'>>

const find = prepared<{ id: string }, UserRecord>((db, value) =>
  db.selectFrom('users').selectAll().where('id', '=', value('id')),
)

/** Queries of the table `users`. */
export function userQueries(db: Db, traits: Traits) {
  return {
    find: async (id: string): Promise<UserRecord | undefined> => (await find(db, { id })).rows[0],

    /** A page of the users, by their date. */
    page: (filter: UserFilter, query: PageQuery) => userPage(db, filter, query),

    search: (text: string, filter: UserFilter, limit: number) => searchUsers(db, traits, text, filter, limit),

    async insert(row: UserRecord): Promise<void> {
      await db.insertInto('users').values(row).execute()
    },

    /** @returns false when there is no such user */
    async update(id: string, changes: UserChanges): Promise<boolean> {
      return changed(await db.executeQuery(db.updateTable('users').set(changes).where('id', '=', id)))
    },

    /** Sessions, tokens and command-line logins go with the user. @returns false when there is no such user */
    async remove(id: string): Promise<boolean> {
      return changed(await db.executeQuery(db.deleteFrom('users').where('id', '=', id)))
    },

    /** Until the transaction ends, nobody changes the user, and nothing new comes to belong to it. */
    async lock(id: string): Promise<void> {
      const row = db.selectFrom('users').select('id').where('id', '=', id)
      await (traits.rowLocks ? row.forUpdate() : row).execute()
    },

    /**
     * Counts the admins, and keeps others from changing any of them until the transaction ends.
     * (Writing what is there already locks rows in every database.)
     */
    async lockAdmins(): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set({ admin: 1 })
        .where('admin', '=', 1)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },

    /** Counts bytes as used. @param bytes may be negative, to give them back */
    async use(id: string, bytes: number): Promise<void> {
      await db
        .updateTable('users')
        .set((eb) => ({ usedSize: eb('usedSize', '+', bytes) }))
        .where('id', '=', id)
        .execute()
    },

    /** Counts bytes as used, unless that would pass a maximum. */
    async useWithin(id: string, bytes: number, max: number): Promise<boolean> {
      const query = db
        .updateTable('users')
        .set((eb) => ({ usedSize: eb('usedSize', '+', bytes) }))
        .where('id', '=', id)
        .where('usedSize', '<=', max - bytes)
      return changed(await db.executeQuery(query))
    },
  }
}
