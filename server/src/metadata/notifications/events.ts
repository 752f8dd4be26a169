import type { EventRecord } from '../../domain/notification-records.ts'
import { padKeys } from '../query/padded-keys.ts'
import type { Db } from '../query/prepared.ts'
import { removeAllButNewest } from '../query/remove-all-but-newest.ts'

/** The maximum number of rows of an insertion. */
const insertedRows = 64

/** The place of an event among those of its user. */
export type EventKey = Pick<EventRecord, 'createdAt' | 'id'>

/** Queries of the table `events`: recent events, for streams of events. */
export function eventQueries(db: Db, lists: Db) {
  return {
    async add(rows: readonly EventRecord[]): Promise<void> {
      for (let at = 0; at < rows.length; at += insertedRows)
        await db
          .insertInto('events')
          .values(rows.slice(at, at + insertedRows))
          .execute()
    },

    /** Which of some events of a user are in the table. */
    async findKnown(userId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await db
        .selectFrom('events')
        .select('id')
        .where('userId', '=', userId)
        .where('id', 'in', padKeys(ids))
        .execute()
      return new Set(rows.map(({ id }) => id))
    },

    /** Deletes all events of a user but the newest. */
    trim: (userId: string, keep: number): Promise<void> => removeAllButNewest(db, 'events', userId, keep),

    /** The first `limit` events of a user since a time in ms, the oldest first. */
    since: (userId: string, since: number, limit: number, after?: EventKey): Promise<EventRecord[]> =>
      lists
        .selectFrom('events')
        .selectAll()
        .where('userId', '=', userId)
        .where('createdAt', '>=', after?.createdAt ?? since)
        .$if(after !== undefined, (query) =>
          query.where((eb) =>
            eb.or([eb('createdAt', '>', after?.createdAt ?? 0), eb('id', '>', after?.id ?? '')]),
          ),
        )
        .orderBy('createdAt')
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** Which of some users have events since a time in ms. */
    async usersSince(userIds: readonly string[], since: number): Promise<string[]> {
      const rows = await lists
        .selectFrom('events')
        .select('userId')
        .distinct()
        .where('userId', 'in', padKeys(userIds))
        .where('createdAt', '>=', since)
        .execute()
      return rows.map(({ userId }) => userId)
    },

    async removeBefore(time: number): Promise<void> {
      await db.deleteFrom('events').where('createdAt', '<', time).execute()
    },
  }
}
