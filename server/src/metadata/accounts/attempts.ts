import { changed, type Db } from '../query/prepared.ts'

/** Queries of the table `attempts`: how often something was tried in a window of time. */
export function attemptQueries(db: Db) {
  const at = (key: string) => db.updateTable('attempts').where('key', '=', key)
  return {
    /** Counts one more in a running window that has room. */
    async count(key: string, max: number, now: number): Promise<boolean> {
      const query = at(key)
        .where('until', '>', now)
        .where('count', '<', max)
        .set((eb) => ({ count: eb('count', '+', 1) }))
      return changed(await db.executeQuery(query))
    },

    /** Begins a new window with one attempt, in place of one that is over. */
    async beginAnew(key: string, now: number, until: number): Promise<boolean> {
      return changed(await db.executeQuery(at(key).where('until', '<=', now).set({ count: 1, until })))
    },

    /** Begins the first window. @returns false when there is one already */
    async begin(key: string, until: number): Promise<boolean> {
      const find = () => db.selectFrom('attempts').select('key').where('key', '=', key).executeTakeFirst()
      if ((await find()) !== undefined) return false
      try {
        await db.insertInto('attempts').values({ key, count: 1, until }).execute()
        return true
      } catch (error) {
        if ((await find()) === undefined) throw error
        return false
      }
    },

    /** End of a window that has no room for more. */
    async fullUntil(key: string, max: number): Promise<number | undefined> {
      const row = await db
        .selectFrom('attempts')
        .select('until')
        .where('key', '=', key)
        .where('count', '>=', max)
        .executeTakeFirst()
      return row?.until
    },

    /** Takes one attempt back. */
    async uncount(key: string): Promise<void> {
      await at(key)
        .where('count', '>', 0)
        .set((eb) => ({ count: eb('count', '-', 1) }))
        .execute()
    },

    async forget(key: string): Promise<void> {
      await db.deleteFrom('attempts').where('key', '=', key).execute()
    },

    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('attempts').where('until', '<=', now).execute()
    },
  }
}
