import type { ExpressionBuilder } from 'kysely'
import { linkMailEvent, type DeliveryRecord } from '../../domain/notification-records.ts'
import type { Bit } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { padKeys } from '../query/padded-keys.ts'
import { countRows, pageOf, type PageOf, type PageQuery } from '../query/page.ts'
import { hasChangedRows, type Db } from '../query/prepared.ts'
import type { Schema } from '../query/schema.ts'

/** The maximum number of rows of an insertion. */
const insertedRows = 64

/** A message that is due, its target, and its account. */
export type DueDelivery = Pick<DeliveryRecord, 'id' | 'target' | 'userId'>

/** How messages are sent: by email, or by the requests of all other channels. */
export type Transport = 'smtp' | 'http'

/** Targets and accounts whose messages are left out. */
export interface DueExceptions {
  readonly targets: readonly string[]
  readonly accounts: readonly string[]
}

/** The result of an attempt. */
export interface AttemptResult {
  readonly id: string
  readonly claim: string
  readonly attempts: number
  /** The time of the next attempt; null after the last one. */
  readonly dueAt: number | null
  readonly delivered: Bit
  readonly responseStatus: number | null
  readonly error: string | null
  readonly finishedAt: number | null
}

/** What a message keeps after its last attempt: the address and the text of a link that was mailed are deleted. */
const keptPayload = (eb: ExpressionBuilder<Schema, 'deliveries'>) =>
  eb.case().when('event', '=', linkMailEvent).then('{}').else(eb.ref('payload')).end()

/** Queries of the table `deliveries`: the outbox, and the messages that were sent from it. */
export function outboxQueries(db: Db, { upsert }: Pick<Capabilities, 'upsert'>, lists: Db) {
  const delivery = (id: string, target: string) =>
    db.selectFrom('deliveries').selectAll().where('id', '=', id).where('target', '=', target)
  const to = (target: string) => db.selectFrom('deliveries').where('target', '=', target)
  return {
    /** Adds messages. One whose id is known stays as it is. */
    async add(rows: readonly DeliveryRecord[]): Promise<void> {
      // Transactions that lock rows in the same order do not deadlock.
      const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      for (let at = 0; at < sorted.length;) {
        // A power of two, so that the cache of prepared statements stays small.
        const length = 2 ** Math.floor(Math.log2(Math.min(insertedRows, sorted.length - at)))
        const insertion = db.insertInto('deliveries').values(sorted.slice(at, at + length))
        await (
          upsert === 'on conflict'
            ? insertion.onConflict((conflict) => conflict.column('id').doNothing())
            : insertion.onDuplicateKeyUpdate((eb) => ({ id: eb.ref('deliveries.id') }))
        ).execute()
        at += length
      }
    },

    /**
     * The first `limit` messages of a transport that are due, the longest due first.
     * @param except targets and accounts that get nothing now
     */
    due: (transport: Transport, now: number, except: DueExceptions, limit: number): Promise<DueDelivery[]> =>
      db
        .selectFrom('deliveries')
        .select(['id', 'target', 'userId'])
        .where('dueAt', '<=', now)
        .where('channel', transport === 'smtp' ? '=' : '!=', 'email')
        .$if(except.targets.length > 0, (query) => query.where('target', 'not in', padKeys(except.targets)))
        .$if(except.accounts.length > 0, (query) =>
          query.where((eb) =>
            eb.or([eb('userId', 'is', null), eb('userId', 'not in', padKeys(except.accounts))]),
          ),
        )
        .orderBy('dueAt')
        .limit(limit)
        .execute(),

    /**
     * Claims those of some messages that are still due: no other instance sends them until the lease ends.
     * @param until ms, the end of the lease
     * @returns the claimed messages
     */
    async claim(
      ids: readonly string[],
      { claim, now, until }: { readonly claim: string; readonly now: number; readonly until: number },
    ): Promise<DeliveryRecord[]> {
      await db
        .updateTable('deliveries')
        .set({ claim, dueAt: until })
        .where('id', 'in', padKeys(ids))
        .where('dueAt', '<=', now)
        .execute()
      return db
        .selectFrom('deliveries')
        .selectAll()
        .where('id', 'in', padKeys(ids))
        .where('claim', '=', claim)
        .execute()
    },

    /** Records deliveries that succeeded with one status, except those whose claim was lost. */
    async recordDelivered(
      ids: readonly string[],
      { claims, now, responseStatus }: { claims: readonly string[]; now: number; responseStatus: number },
    ): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('deliveries')
        .set((eb) => ({
          attempts: eb('attempts', '+', 1),
          dueAt: null,
          claim: null,
          responseStatus,
          error: null,
          delivered: 1,
          finishedAt: now,
          payload: keptPayload(eb),
        }))
        .where('id', 'in', padKeys(ids))
        .where('claim', 'in', padKeys(claims))
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },

    /** Records the result of one attempt. @returns false when the claim was lost */
    async recordAttempt({ id, claim, ...result }: AttemptResult): Promise<boolean> {
      const query = db
        .updateTable('deliveries')
        .set((eb) => ({
          ...result,
          claim: null,
          ...(result.finishedAt !== null && { payload: keptPayload(eb) }),
        }))
        .where('id', '=', id)
        .where('claim', '=', claim)
      return hasChangedRows(await db.executeQuery(query))
    },

    /** A page of the messages to a target, ordered by date. */
    async page(target: string, query: PageQuery): Promise<PageOf<DeliveryRecord>> {
      const rows = lists.selectFrom('deliveries').where('target', '=', target)
      return pageOf(
        query,
        { sort: 'createdAt', id: 'id' },
        {
          rows: (applyPage) => applyPage(rows.selectAll()).execute(),
          count: (atMost) => countRows(lists, rows, 'deliveries.id', atMost),
        },
      )
    },

    find: (id: string, target: string): Promise<DeliveryRecord | undefined> =>
      delivery(id, target).executeTakeFirst(),

    /**
     * Makes a message due again, with all its attempts. The result of a current attempt is then lost.
     * @returns false when the target has no such message
     */
    async replay(id: string, target: string, now: number): Promise<boolean> {
      const query = db
        .updateTable('deliveries')
        .set({ attempts: 0, dueAt: now, claim: null, error: null, delivered: 0, finishedAt: null })
        .where('id', '=', id)
        .where('target', '=', target)
      return hasChangedRows(await db.executeQuery(query))
    },

    /** The number of messages to a target, counted up to `atMost`. */
    countTo: (target: string, atMost: number): Promise<number> =>
      countRows(db, to(target), 'deliveries.id', atMost),

    /** The number of messages to a target about some kinds of events since a time in ms, counted up to `atMost`. */
    countSince: (target: string, kinds: readonly string[], since: number, atMost: number): Promise<number> =>
      countRows(
        db,
        to(target).where('createdAt', '>', since).where('event', 'in', padKeys(kinds)),
        'deliveries.id',
        atMost,
      ),

    /**
     * Deletes the `limit` messages to a target that were finished first. Emails stay while they are counted.
     * @param countedSince ms, the time since which emails are counted
     * @returns how many
     */
    async removeOldest(target: string, limit: number, countedSince: number): Promise<number> {
      const oldest = to(target)
        .select('id')
        .where('finishedAt', 'is not', null)
        .where((eb) => eb.or([eb('channel', '!=', 'email'), eb('createdAt', '<=', countedSince)]))
      return removeRows(await oldest.orderBy('finishedAt').limit(limit).execute())
    },

    /** The time since which a message is due; null if none is. */
    async dueSince(now: number): Promise<number | null> {
      const first = await db
        .selectFrom('deliveries')
        .select('dueAt')
        .where('dueAt', '<=', now)
        .orderBy('dueAt')
        .limit(1)
        .executeTakeFirst()
      return first?.dueAt ?? null
    },

    /**
     * Deletes up to `limit` messages that were finished at a time or before.
     * @returns how many
     */
    async removeFinished(until: number, limit: number): Promise<number> {
      const old = db.selectFrom('deliveries').select('id').where('finishedAt', '<=', until)
      return removeRows(await old.orderBy('finishedAt').limit(limit).execute())
    },
  }

  async function removeRows(rows: readonly { readonly id: string }[]): Promise<number> {
    if (rows.length === 0) return 0
    const ids = rows.map(({ id }) => id)
    await db
      .deleteFrom('deliveries')
      .where('id', 'in', padKeys(ids))
      // A message that was replayed meanwhile stays.
      .where('finishedAt', 'is not', null)
      .execute()
    return rows.length
  }
}
