import { limits } from '@svc/contract'
import type { AliasRecord } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { padKeys } from '../query/padded-keys.ts'
import type { Db } from '../query/prepared.ts'

/** How long an alias that leads nowhere stays reserved, in ms: an old link must not lead to the files of a stranger. */
const holdMs = limits.aliasHoldDays * 86_400_000

/** Queries of the table `aliases`. */
export function aliasQueries(db: Db, { upsert }: Pick<Capabilities, 'upsert'>) {
  return {
    /** The id of the upload to which an alias leads. The upload may have ended. */
    async uploadOf(alias: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('aliases')
        .select('uploadId')
        .where('alias', '=', alias)
        .where('heldUntil', 'is', null)
        .executeTakeFirst()
      return row?.uploadId
    },

    /** The alias that leads to an upload. */
    async of(uploadId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('aliases')
        .select('alias')
        .where('uploadId', '=', uploadId)
        .where('heldUntil', 'is', null)
        .executeTakeFirst()
      return row?.alias
    },

    /** The number of other aliases of an upload, with those that are reserved for it. */
    async countOthers({ alias, uploadId }: Omit<AliasRecord, 'heldUntil'>): Promise<number> {
      const { count } = await db
        .selectFrom('aliases')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('uploadId', '=', uploadId)
        .where('alias', '<>', alias)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /**
     * Lets an alias lead to an upload, within a transaction.
     * @param now ms
     * @returns false when it is that of another upload, or was recently
     */
    async take({ alias, uploadId }: Omit<AliasRecord, 'heldUntil'>, now: number): Promise<boolean> {
      await db.deleteFrom('aliases').where('alias', '=', alias).where('heldUntil', '<=', now).execute()
      const insertion = db.insertInto('aliases').values({ alias, uploadId, heldUntil: null })
      await (
        upsert === 'on conflict'
          ? insertion.onConflict((conflict) => conflict.column('alias').doNothing())
          : insertion.onDuplicateKeyUpdate((eb) => ({ alias: eb.ref('aliases.alias') }))
      ).execute()
      // Sees what others have committed, unlike a query of a transaction that began before.
      const { numUpdatedRows } = await db
        .updateTable('aliases')
        .set({ heldUntil: null })
        .where('alias', '=', alias)
        .where('uploadId', '=', uploadId)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /**
     * Ends the aliases of uploads, which stay reserved for some time.
     * @param now ms
     * @param except this one stays
     */
    async hold(uploadIds: readonly string[], now: number, except = ''): Promise<void> {
      await db
        .updateTable('aliases')
        .set({ heldUntil: now + holdMs })
        .where('uploadId', 'in', padKeys(uploadIds))
        .where('heldUntil', 'is', null)
        .where('alias', '<>', except)
        .execute()
    },

    /**
     * Frees reserved aliases.
     * @param now ms
     */
    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('aliases').where('heldUntil', '<=', now).execute()
    },
  }
}
