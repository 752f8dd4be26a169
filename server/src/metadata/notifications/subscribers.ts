import type { UploadRecord, UserRecord } from '../../domain/records.ts'
import { padKeys } from '../query/padded-keys.ts'
import type { Db } from '../query/prepared.ts'
import { isMarked } from '../uploads/removals.ts'

/** An upload that expires soon. */
export interface ExpiringUpload extends Pick<UploadRecord, 'id' | 'userId'> {
  readonly expireAt: number
}

/** A period in ms, without its beginning and with its end. */
export interface Period {
  readonly from: number
  readonly to: number
}

/** The tables with the subscriptions of users. */
const subscriptionTables = ['webhooks', 'notificationSettings', 'pushSubscriptions'] as const

/** Queries for the events of accounts that receive notifications. */
export function subscriberQueries(db: Db) {
  return {
    /** Whether an account may receive events. */
    async any(): Promise<boolean> {
      for (const table of subscriptionTables)
        if ((await db.selectFrom(table).select('userId').limit(1).executeTakeFirst()) !== undefined)
          return true
      return false
    },

    /**
     * The first `limit` uploads that expire in a period, in the order of their expiry.
     * @param after the last result of the page before
     * @param ofAll whether uploads of all accounts are included, and those without one
     */
    async expiring(
      { from, to }: Period,
      {
        after,
        limit,
        ofAll,
      }: { readonly after?: ExpiringUpload; readonly limit: number; readonly ofAll: boolean },
    ): Promise<ExpiringUpload[]> {
      const rows = await db
        .selectFrom('uploads')
        .select(['id', 'userId', 'expireAt'])
        .where('deletedAt', 'is', null)
        .where('expireAt', '>=', after?.expireAt ?? from + 1)
        .where('expireAt', '<=', to)
        .where((eb) => eb.not(isMarked(eb)))
        .$if(after !== undefined, (query) =>
          query.where((eb) =>
            eb.or([eb('expireAt', '>', after?.expireAt ?? 0), eb('id', '>', after?.id ?? '')]),
          ),
        )
        .$if(!ofAll, (query) =>
          query.where((eb) =>
            eb.or(
              subscriptionTables.map((table) =>
                eb.exists(
                  eb
                    .selectFrom(table)
                    .select(`${table}.userId`)
                    .whereRef(`${table}.userId`, '=', 'uploads.userId'),
                ),
              ),
            ),
          ),
        )
        .orderBy('expireAt')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ ...row, expireAt: row.expireAt ?? 0 }))
    },

    /** The quotas of the first `limit` users after a user who may receive events, in the order of their ids. */
    async quotas(
      after: string,
      limit: number,
    ): Promise<Pick<UserRecord, 'id' | 'usedSize' | 'maxUserSize'>[]> {
      // Each part reads an index from `after`, and the users of both are the first ones of all.
      const parts = subscriptionTables.map((table) =>
        db
          .selectFrom(table)
          .select('userId')
          .distinct()
          .where('userId', '>', after)
          .orderBy('userId')
          .limit(limit)
          .execute(),
      )
      const ids = [...new Set((await Promise.all(parts)).flat().map(({ userId }) => userId))]
      const first = ids.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, limit)
      if (first.length === 0) return []
      return db
        .selectFrom('users')
        .select(['id', 'usedSize', 'maxUserSize'])
        .where('id', 'in', padKeys(first))
        .orderBy('id')
        .execute()
    },
  }
}
