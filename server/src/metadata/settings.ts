import { hasChangedRows, type Db } from './query/prepared.ts'

/** Queries of the table `settings`. */
export function settingQueries(db: Db) {
  const find = async (key: string): Promise<string | undefined> =>
    (await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst())?.value
  return {
    find,

    /**
     * Replaces a value.
     * @returns false when the key no longer has the value `from`
     */
    async replace(key: string, from: string, to: string): Promise<boolean> {
      const query = db
        .updateTable('settings')
        .set({ value: to })
        .where('key', '=', key)
        .where('value', '=', from)
      return hasChangedRows(await db.executeQuery(query))
    },

    /** The value of a key. If there is none, `value` is inserted. Concurrent calls of several processes return one value. */
    async findOrInsert(key: string, value: string): Promise<string> {
      const known = await find(key)
      if (known !== undefined) return known
      try {
        await db.insertInto('settings').values({ key, value }).execute()
        return value
      } catch (error) {
        // Another process may have inserted the key in the meantime.
        const first = await find(key)
        if (first === undefined) throw error
        return first
      }
    },
  }
}
