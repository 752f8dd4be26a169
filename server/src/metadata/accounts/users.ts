import type { UserRecord } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import type { PageQuery } from '../query/page.ts'
import { changed, prepared, type Db } from '../query/prepared.ts'
import { searchUsers, userPage, type UserFilter } from './user-listing.ts'

/** What can be changed of a user. */
export type UserChanges = Partial<
  Omit<UserRecord, 'id' | 'provider' | 'usedSize' | 'createdAt' | 'generation' | 'removedAt'>
>

const find = prepared<{ id: string }, UserRecord>((db, value) =>
  db.selectFrom('users').selectAll().where('id', '=', value('id')).where('removedAt', 'is', null),
)

/** Queries of the table `users`. */
export function userQueries(db: Db, traits: Capabilities, lists: Db) {
  return {
    find: async (id: string): Promise<UserRecord | undefined> => (await find(db, { id })).rows[0],

    /** A page of the users, by their date. */
    page: (filter: UserFilter, query: PageQuery) => userPage(lists, filter, query),

    search: (text: string, filter: UserFilter, limit: number) =>
      searchUsers(lists, traits, text, filter, limit),

    /** A deleted account whose uploads are still being removed leaves its row, and what it uses, to a new one. */
    async insert({ id, usedSize, generation, ...row }: UserRecord): Promise<void> {
      const left = db.updateTable('users').set(row).where('id', '=', id).where('removedAt', 'is not', null)
      if (changed(await db.executeQuery(left))) return
      await db
        .insertInto('users')
        .values({ id, usedSize, generation, ...row })
        .execute()
    },

    /** @returns false when there is no such user */
    async update(id: string, changes: UserChanges): Promise<boolean> {
      const query = db.updateTable('users').set(changes).where('id', '=', id).where('removedAt', 'is', null)
      return changed(await db.executeQuery(query))
    },

    /** Sessions, tokens and command-line logins go with the user. @returns false when there is no such user */
    async remove(id: string): Promise<boolean> {
      return changed(await db.executeQuery(db.deleteFrom('users').where('id', '=', id)))
    },

    /**
     * Deletes the account, with all that it has but its uploads: its row stays, blank and not to be found, for those.
     * @param now ms @returns false when there is no such user
     */
    async retire(id: string, now: number): Promise<boolean> {
      const query = db
        .updateTable('users')
        .set({ ...blank, removedAt: now })
        .where('id', '=', id)
        .where('removedAt', 'is', null)
      if (!changed(await db.executeQuery(query))) return false
      for (const table of ['sessions', 'tokens', 'cliLogins'] as const)
        await db.deleteFrom(table).where('userId', '=', id).execute()
      return true
    },

    /** Deletes the row that a deleted account has left. @returns false where a new account has taken it over */
    async removeRetired(id: string): Promise<boolean> {
      const query = db.deleteFrom('users').where('id', '=', id).where('removedAt', 'is not', null)
      return changed(await db.executeQuery(query))
    },

    /** Whether the account is deleted, and only its row is left. */
    isRetired: async (id: string): Promise<boolean> =>
      (await db
        .selectFrom('users')
        .select('id')
        .where('id', '=', id)
        .where('removedAt', 'is not', null)
        .executeTakeFirst()) !== undefined,

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

    /** Counts bytes as used, unless that would pass a maximum. What a mass removal hides is free already. */
    async useWithin(id: string, bytes: number, max: number): Promise<boolean> {
      const query = db
        .updateTable('users')
        .set((eb) => ({ usedSize: eb('usedSize', '+', bytes) }))
        .where('id', '=', id)
        .where((eb) =>
          eb(
            'usedSize',
            '<=',
            eb(
              eb.val(max - bytes),
              '+',
              eb.fn.coalesce(
                eb
                  .selectFrom('removals')
                  .select('removals.usedSize')
                  .whereRef('removals.userId', '=', 'users.id'),
                eb.lit(0),
              ),
            ),
          ),
        )
      return changed(await db.executeQuery(query))
    },
  }
}

/** What a deleted account leaves of the person: nothing. */
const blank = {
  issuer: null,
  accountId: null,
  login: '',
  name: '',
  email: '',
  passwordHash: null,
  admin: 0,
  theme: '',
  language: '',
} as const satisfies UserChanges
