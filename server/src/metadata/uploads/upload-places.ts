import type { UploadRecord } from '../../domain/records.ts'
import { preparedQuery, type Db } from '../query/prepared.ts'

type Id = Pick<UploadRecord, 'id'>
type PlaceColumn = Pick<UploadRecord, 'placeUntil'>

const findPlace = preparedQuery<Id, PlaceColumn>((db, value) =>
  db.selectFrom('uploads').select('placeUntil').where('id', '=', value('id')),
)

const addStored = preparedQuery<Id & { bytes: number }, unknown>((db, value) =>
  db
    .updateTable('uploads')
    .set((eb) => ({ size: eb('size', '+', value('bytes')), placeUntil: null }))
    .where('id', '=', value('id')),
)

/** Queries of the table `uploads` for the places of uploads in the limits of their request (`placeUntil` of the row). */
export function uploadPlaceQueries(db: Db) {
  return {
    /** Until when an upload has its place; 0 when it was released, null when it has it for good. */
    place: async (id: string): Promise<number | null> =>
      (await findPlace(db, { id })).rows[0]?.placeUntil ?? null,

    /** Sets until when an upload has its place, in ms; 0 releases it. */
    async setPlace(id: string, placeUntil: number): Promise<void> {
      await db.updateTable('uploads').set({ placeUntil }).where('id', '=', id).execute()
    },

    /** Adds the bytes of a file that has arrived: the upload has its place for good. */
    async addStored(id: string, bytes: number): Promise<void> {
      await addStored(db, { id, bytes })
    },

    /**
     * The first `limit` uploads whose place ended at a time or before, and has not been released.
     * @param requestId undefined for those of all requests
     */
    async findEndedPlaces(now: number, limit: number, requestId?: string): Promise<string[]> {
      const rows = await db
        .selectFrom('uploads')
        .select('id')
        .where('placeUntil', '>', 0)
        .where('placeUntil', '<=', now)
        .$if(requestId !== undefined, (query) => query.where('requestId', '=', requestId ?? ''))
        .where('deletedAt', 'is', null)
        .orderBy('placeUntil')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}
