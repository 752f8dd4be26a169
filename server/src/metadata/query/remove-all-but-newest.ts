import type { Db } from './prepared.ts'

/** Tables with rows of users in the order of their dates. */
type DatedTable = 'events' | 'pushSubscriptions'

/** Deletes all rows of a user but the newest. Rows of the same moment are in the order of their ids. */
export async function removeAllButNewest(
  db: Db,
  table: DatedTable,
  userId: string,
  keep: number,
): Promise<void> {
  const oldest = await db
    .selectFrom(table)
    .select(['createdAt', 'id'])
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .offset(keep - 1)
    .limit(1)
    .executeTakeFirst()
  if (oldest === undefined) return
  await db
    .deleteFrom(table)
    .where('userId', '=', userId)
    .where((eb) =>
      eb.or([
        eb('createdAt', '<', oldest.createdAt),
        eb.and([eb('createdAt', '=', oldest.createdAt), eb('id', '<', oldest.id)]),
      ]),
    )
    .execute()
}
