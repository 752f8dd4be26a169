import type { DownloadRecord } from '../../domain/records.ts'
import type { Db } from '../query/prepared.ts'

/** The first `limit` downloads after one, in the order of their uploads. Those of blanked uploads are left out, as the uploads are. */
export function downloadsAfter(db: Db, last: DownloadRecord | undefined, limit: number) {
  const rows = db
    .selectFrom('downloads')
    .selectAll()
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('uploads')
          .select('uploads.id')
          .whereRef('uploads.id', '=', 'downloads.uploadId')
          .where('uploads.erasedAt', 'is', null),
      ),
    )
    .orderBy('uploadId')
    .orderBy('endedAt')
    .orderBy('id')
    .limit(limit)
  if (last === undefined) return rows
  const { uploadId, endedAt, id } = last
  return rows
    .where('uploadId', '>=', uploadId)
    .where((eb) =>
      eb.or([
        eb('uploadId', '>', uploadId),
        eb('endedAt', '>', endedAt),
        eb.and([eb('endedAt', '=', endedAt), eb('id', '>', id)]),
      ]),
    )
}

/** Which of some downloads exist. The table has no index of ids, so they are found among those of their uploads. */
export async function knownDownloads(
  db: Db,
  ids: readonly string[],
  uploadIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('downloads')
    .select('id')
    .where('uploadId', 'in', [...new Set(uploadIds)])
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
