import type { UploadRecord } from '../../domain/records.ts'
import { padKeys } from '../query/padded-keys.ts'
import type { Db } from '../query/prepared.ts'
import { removalTime } from './removals.ts'

/** Queries of the table `uploads` for the owners of uploads. */
export function uploadOwnerQueries(db: Db) {
  return {
    /** The owner of an upload, the request that received it, and what decides how its files end, even if the upload is removed. */
    findOwner: async (
      id: string,
    ): Promise<
      Pick<
        UploadRecord,
        'id' | 'userId' | 'requestId' | 'stream' | 'e2ee' | 'oneShot' | 'maxDownloads' | 'deletedAt'
      >
    > =>
      db
        .selectFrom('uploads')
        .select(['id', 'userId', 'requestId', 'stream', 'e2ee', 'oneShot', 'maxDownloads'])
        .select((eb) => removalTime(eb).as('deletedAt'))
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),

    /** The owners of those of some uploads that are not removed, by the ids of the uploads; null for none. */
    async ownersOf(ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
      const rows = await db
        .selectFrom('uploads')
        .select(['id', 'userId'])
        .where('id', 'in', padKeys(ids))
        .where('deletedAt', 'is', null)
        .execute()
      return new Map(rows.map(({ id, userId }) => [id, userId]))
    },
  }
}
