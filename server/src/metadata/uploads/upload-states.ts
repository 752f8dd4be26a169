import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { padKeys } from '../query/padded-keys.ts'
import type { Db } from '../query/prepared.ts'
import type { Schema } from '../query/schema.ts'
import { removalTime } from './removals.ts'

type FileExpression = ExpressionBuilder<Schema, 'files'>

const countWhere = (eb: FileExpression, condition: Expression<SqlBool>) =>
  eb.fn.sum<string | number>(eb.case().when(condition).then(1).else(0).end())

/** Queries that find out which of many uploads have changed, without reading their files. */
export function uploadStateQueries(lists: Db) {
  return {
    /**
     * A text for each upload that changes with what visitors see of it: its expiry, and how many of its files are in each state.
     * Bytes that arrive do not change it. Uploads that are removed, that have expired, that have a password or that a request
     * has received are left out.
     * @param now ms
     */
    async states(ids: readonly string[], now: number): Promise<ReadonlyMap<string, string>> {
      if (ids.length === 0) return new Map()
      const uploads = await lists
        .selectFrom('uploads')
        .select(['id', 'expireAt'])
        .where('id', 'in', padKeys(ids))
        .where('passwordHash', 'is', null)
        .where('requestId', 'is', null)
        .where((eb) => eb.or([eb('expireAt', 'is', null), eb('expireAt', '>', now)]))
        .where((eb) => eb(removalTime(eb), 'is', null))
        .execute()
      if (uploads.length === 0) return new Map()
      const files = await filesOf(
        lists,
        uploads.map(({ id }) => id),
      )
      return new Map(uploads.map(({ id, expireAt }) => [id, `${String(expireAt)} ${files.get(id) ?? ''}`]))
    },
  }
}

async function filesOf(lists: Db, uploadIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await lists
    .selectFrom('files')
    .select((eb) => [
      'uploadId',
      eb.fn.countAll().as('files'),
      countWhere(eb, eb('status', '=', 'uploading')).as('uploading'),
      countWhere(eb, eb('status', '=', 'uploaded')).as('uploaded'),
      countWhere(eb, eb('status', 'in', ['removed', 'deleted'])).as('gone'),
      countWhere(eb, eb.and([eb('status', '=', 'uploading'), eb('instance', 'is', null)])).as('interrupted'),
      // One file may arrive while another one goes.
      eb.fn.sum<string | number | null>('uploadedAt').as('arrivals'),
      eb.fn.sum<string | number>('downloads').as('downloads'),
      eb.fn.sum<string | number>('preview').as('previews'),
    ])
    .where('uploadId', 'in', padKeys(uploadIds))
    .groupBy('uploadId')
    .execute()
  return new Map(rows.map(({ uploadId, ...state }) => [uploadId, Object.values(state).map(String).join(' ')]))
}
