import type { UserRecord } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import type { PageQuery } from '../query/page.ts'
import { hasChangedRows, preparedQuery, type Db } from '../query/prepared.ts'
import { searchUsers, userPage, type UserFilter } from './user-listing.ts'

/** The columns of a user that can be changed. */
export type UserChanges = Partial<
  Omit<UserRecord, 'id' | 'provider' | 'usedSize' | 'createdAt' | 'generation' | 'removedAt'>
>

const find = preparedQuery<{ id: string }, UserRecord>((db, value) =>
  db.selectFrom('users').selectAll().where('id', '=', value('id')).where('removedAt', 'is', null),
)

/** Queries of the table `users`. */
export function userQueries(db: Db, capabilities: Capabilities, lists: Db) {
  return {
    find: async (id: string): Promise<UserRecord | undefined> => (await find(db, { id })).rows[0],

    /** A page of the users, ordered by date. */
    page: (filter: UserFilter, query: PageQuery) => userPage(lists, filter, query),

    search: (text: string, filter: UserFilter, limit: number) =>
      searchUsers(lists, capabilities, text, filter, limit),

    /** Inserts a user. The tombstone of a deleted user with this id becomes the row of the new user, with its used bytes. */
    async insert({ id, usedSize, generation, ...row }: UserRecord): Promise<void> {
      const tombstone = db
        .updateTable('users')
        .set(row)
        .where('id', '=', id)
        .where('removedAt', 'is not', null)
      if (hasChangedRows(await db.executeQuery(tombstone))) return
      await db
        .insertInto('users')
        .values({ id, usedSize, generation, ...row })
        .execute()
    },

    /** @returns false when there is no such user */
    async update(id: string, changes: UserChanges): Promise<boolean> {
      const query = db.updateTable('users').set(changes).where('id', '=', id).where('removedAt', 'is', null)
      return hasChangedRows(await db.executeQuery(query))
    },

    /**
     * Removes a user with its sessions, tokens, command-line logins and upload requests.
     * @returns false when there is no such user
     */
    async remove(id: string): Promise<boolean> {
      return hasChangedRows(await db.executeQuery(db.deleteFrom('users').where('id', '=', id)))
    },

    /**
     * Deletes a user with sessions, tokens, command-line logins and upload requests, but not the uploads. A blank row, the tombstone, stays
     * until the uploads are removed; queries do not find it.
     * @param now ms
     * @returns false when there is no such user
     */
    async replaceWithTombstone(id: string, now: number): Promise<boolean> {
      const query = db
        .updateTable('users')
        .set({ ...blank, removedAt: now })
        .where('id', '=', id)
        .where('removedAt', 'is', null)
      if (!hasChangedRows(await db.executeQuery(query))) return false
      for (const table of belongings) await db.deleteFrom(table).where('userId', '=', id).execute()
      return true
    },

    /**
     * Removes the tombstone of a deleted user.
     * @returns false when it has become the row of a new user
     */
    async removeTombstone(id: string): Promise<boolean> {
      const query = db.deleteFrom('users').where('id', '=', id).where('removedAt', 'is not', null)
      return hasChangedRows(await db.executeQuery(query))
    },

    /** Whether the user is deleted, and has a tombstone. */
    isTombstone: async (id: string): Promise<boolean> =>
      (await db
        .selectFrom('users')
        .select('id')
        .where('id', '=', id)
        .where('removedAt', 'is not', null)
        .executeTakeFirst()) !== undefined,

    /** Locks a user: until the transaction ends, no other one can change the user, or add rows that reference the user. */
    async lock(id: string): Promise<void> {
      const row = db.selectFrom('users').select('id').where('id', '=', id)
      await (capabilities.rowLocks ? row.forUpdate() : row).execute()
    },

    /**
     * Counts the admins, and locks their rows until the transaction ends: an update locks rows in every database, even if it
     * changes nothing.
     */
    async lockAdmins(): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set({ admin: 1 })
        .where('admin', '=', 1)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },

    /**
     * Adds to the used bytes.
     * @param bytes negative to release them
     */
    async addUsage(id: string, bytes: number): Promise<void> {
      await db
        .updateTable('users')
        .set((eb) => ({ usedSize: eb('usedSize', '+', bytes) }))
        .where('id', '=', id)
        .execute()
    },

    /** Adds to the used bytes, unless that would exceed a maximum. Bytes that a mass removal hides do not count. */
    async addUsageWithin(id: string, bytes: number, max: number): Promise<boolean> {
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
      return hasChangedRows(await db.executeQuery(query))
    },
  }
}

/** The tables whose rows end with their account. */
const belongings = [
  'sessions',
  'tokens',
  'cliLogins',
  'requests',
  'webhooks',
  'deliveries',
  'notificationSettings',
  'events',
  'pushSubscriptions',
] as const

/** The personal data of a user, as a tombstone has it. */
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
