import type { ExpressionBuilder } from 'kysely'
import type { Capabilities } from '../dialects/dialect.ts'
import { padKeys } from '../query/padded-keys.ts'
import { hasChangedRows, type Db } from '../query/prepared.ts'
import type { HiddenStats, RemovalRow, Schema } from '../query/schema.ts'
import { totalsOf } from '../stats/totals.ts'

/** Whether a mass removal hides the upload of a row. The table is usually empty, so this costs little. */
export const isMarked = (eb: ExpressionBuilder<Schema, 'uploads'>) =>
  eb.exists(
    eb
      .selectFrom('removals')
      .select('removals.userId')
      .whereRef('removals.userId', '=', 'uploads.userId')
      .whereRef('removals.generation', '>', 'uploads.generation'),
  )

/** When the upload of a row was removed, alone or by a mass removal that has not changed its row yet. */
export const removalTime = (eb: ExpressionBuilder<Schema, 'uploads'>) =>
  eb.fn.coalesce(
    'uploads.deletedAt',
    eb
      .selectFrom('removals')
      .select('removals.requestedAt')
      .whereRef('removals.userId', '=', 'uploads.userId')
      .whereRef('removals.generation', '>', 'uploads.generation'),
  )

/** Whether a mass removal is in progress. */
export const isRemoving = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('removals').select('userId').limit(1).executeTakeFirst()) !== undefined

/** Queries of the table `removals`: mass removals in progress. */
export function removalQueries(db: Db, capabilities: Capabilities) {
  return {
    /**
     * Starts a mass removal: hides all current uploads of a user, and their stats, from the end of the transaction on. The
     * row stays until batches have removed the uploads.
     * @param now ms
     */
    async mark(userId: string, now: number): Promise<void> {
      await db
        .updateTable('users')
        .set((eb) => ({ generation: eb('generation', '+', 1) }))
        .where('id', '=', userId)
        .execute()
      const { generation, usedSize } = await db
        .selectFrom('users')
        .select(['generation', 'usedSize'])
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      const { uploads, files, size } = await totalsOf(db, userId)
      const changes = { generation, usedSize, uploads, files, size }
      const insertion = db.insertInto('removals').values({ userId, requestedAt: now, ...changes })
      await (
        capabilities.upsert === 'on conflict'
          ? insertion.onConflict((conflict) => conflict.column('userId').doUpdateSet(changes))
          : insertion.onDuplicateKeyUpdate(changes)
      ).execute()
    },

    /** All mass removals in progress, the oldest first. */
    list: (): Promise<RemovalRow[]> =>
      db.selectFrom('removals').selectAll().orderBy('requestedAt').orderBy('userId').execute(),

    /** The mass removals of these users. */
    of: (userIds: readonly string[]): Promise<Pick<RemovalRow, 'userId' | 'generation'>[]> =>
      db
        .selectFrom('removals')
        .select(['userId', 'generation'])
        .where('userId', 'in', padKeys(userIds))
        .execute(),

    /** Subtracts from the hidden stats of a user, whose counters no longer include these uploads. */
    async reveal(userId: string, { usedSize, uploads, files, size }: HiddenStats): Promise<void> {
      await db
        .updateTable('removals')
        .set((eb) => ({
          usedSize: eb('usedSize', '-', usedSize),
          uploads: eb('uploads', '-', uploads),
          files: eb('files', '-', files),
          size: eb('size', '-', size),
        }))
        .where('userId', '=', userId)
        .execute()
    },

    /** Whether a mass removal is in progress. */
    any: (): Promise<boolean> => isRemoving(db),

    /**
     * Ends a mass removal.
     * @returns false when another one was requested since, or it had ended before
     */
    async finish({ userId, generation }: Pick<RemovalRow, 'userId' | 'generation'>): Promise<boolean> {
      const query = db
        .deleteFrom('removals')
        .where('userId', '=', userId)
        .where('generation', '=', generation)
      return hasChangedRows(await db.executeQuery(query))
    },
  }
}
