import type { Db } from './prepared.ts'

/** Queries of the table `settings`. */
export function settingQueries(db: Db) {
  const find = async (key: string): Promise<string | undefined> =>
    (await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst())?.value
  return {
    find,

    /** The value of a key; a given one where there is none. Processes that ask at the same moment agree on one. */
    async findOrInsert(key: string, value: string): Promise<string> {
      const known = await find(key)
      if (known !== undefined) return known
      try {
        await db.insertInto('settings').values({ key, value }).execute()
        return value
      } catch (error) {
        // The key is taken since: whoever was first decides.
        const first = await find(key)
        if (first === undefined) throw error
        return first
      }
    },
  }
}
