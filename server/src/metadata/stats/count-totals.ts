import { sql } from 'kysely'
import type { Db } from '../query/prepared.ts'
import { owners } from './totals.ts'

/** Recomputes the counters of the table `totals`. Runs in a transaction that blocks other writers. */
export async function countTotals(db: Db): Promise<void> {
  await db.deleteFrom('totals').execute()
  await sql`
    insert into totals (${sql.join(['owner', 'shard', 'users', 'uploads', 'files', 'size'].map((name) => sql.ref(name)))})
    ${countedTotals}
  `.execute(db)
}

/**
 * A row for each user with uploads, one for all users, and one for anonymous uploads. Uploads and files are read once: what they
 * count of a user also counts for all users, in a copy.
 */
export const countedTotals = sql`
  select owner, 0 as shard, sum(users) as users, sum(uploads) as uploads, sum(files) as files, sum(size) as size
  from (
    select case when copies.copy = 1 then ${sql.lit(owners.users)}
        else coalesce(${sql.ref('userId')}, ${sql.lit(owners.anonymous)}) end as owner,
      0 as users, uploads, files, size
    from (
      select ${sql.ref('userId')}, count(*) as uploads, 0 as files, sum(size) as size
      from uploads where ${sql.ref('deletedAt')} is null group by ${sql.ref('userId')}
      union all
      select ${sql.ref('userId')}, 0, count(*), 0
      from uploads inner join files on files.${sql.ref('uploadId')} = uploads.id
      where ${sql.ref('deletedAt')} is null and status = 'uploaded' group by ${sql.ref('userId')}
    ) as counted_once
    cross join (select 0 as copy union all select 1) as copies
    where copies.copy = 0 or ${sql.ref('userId')} is not null
    union all
    select ${sql.lit(owners.users)}, count(*), 0, 0, 0 from users where ${sql.ref('removedAt')} is null
  ) as counted
  group by owner
`
