import { changed, type Db } from './query/prepared.ts'

/** Queries of the table `settings`. */
export function settingQueries(db: Db) {
  const find = async (key: string): Promise<string | undefined> =>
    (await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst())?.value
  return {
    find,

    /** Writes a value in the place of another one. @returns false when the key has another value by now */
    async replace(key: string, from: string, to: string): Promise<boolean> {
      const query = db
        .updateTable('settings')
        .set({ value: to })
        .where('key', '=', key)
        .where('value', '=', from)
      return changed(await db.executeQuery(query))
    },

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
