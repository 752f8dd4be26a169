import type { CliLoginRecord } from '../../domain/records.ts'
import { hasChangedRows, type Db } from '../query/prepared.ts'

/** Queries of the table `cliLogins`. */
export function cliLoginQueries(db: Db) {
  const at = (code: string) => db.updateTable('cliLogins').where('code', '=', code)
  return {
    async insert(row: CliLoginRecord): Promise<void> {
      await db.insertInto('cliLogins').values(row).execute()
    },

    find: (code: string): Promise<CliLoginRecord | undefined> =>
      db.selectFrom('cliLogins').selectAll().where('code', '=', code).executeTakeFirst(),

    /**
     * Approves a code for a user.
     * @returns false when another user approved it before, or it has expired
     */
    async approve(code: string, userId: string, comment: string, now: number): Promise<boolean> {
      const query = at(code).where('userId', 'is', null).where('expireAt', '>', now).set({ userId, comment })
      return hasChangedRows(await db.executeQuery(query))
    },

    /**
     * Removes an approved code: it can be used once.
     * @returns false when it was used before
     */
    async consume(code: string): Promise<boolean> {
      const query = db.deleteFrom('cliLogins').where('code', '=', code).where('userId', 'is not', null)
      return hasChangedRows(await db.executeQuery(query))
    },

    /** Removes the logins that a user has approved and whose tokens were not fetched. */
    async removeApproved(userId: string): Promise<void> {
      await db.deleteFrom('cliLogins').where('userId', '=', userId).execute()
    },

    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('cliLogins').where('expireAt', '<=', now).execute()
    },
  }
}
