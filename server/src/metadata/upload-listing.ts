import type { Bit, UploadRecord } from '../domain/records.ts'
import { pageOf, type PageOf, type PageQuery } from './page.ts'
import type { Db } from './prepared.ts'

/** What a listing of uploads is narrowed to; what is absent narrows nothing. */
export interface UploadFilter {
  readonly userId?: string
  readonly userToken?: string
  readonly oneShot?: boolean
  readonly removable?: boolean
  readonly stream?: boolean
  readonly extendTtl?: boolean
  readonly password?: boolean
  readonly e2ee?: boolean
}

export type UploadSort = 'createdAt' | 'size'

const bits = ['oneShot', 'removable', 'stream', 'extendTtl'] as const

/**
 * A page of the uploads that are not over.
 * @param now ms; an upload that is past its end is no more, cleaned or not
 */
export function uploadPage(
  db: Db,
  filter: UploadFilter,
  sort: UploadSort,
  query: PageQuery,
  now: number,
): Promise<PageOf<UploadRecord>> {
  const matching = filtered(db, filter, now)
  return pageOf(
    query,
    { sort, id: 'id' },
    {
      rows: (narrow) => narrow(matching.selectAll()).execute(),
      total: async () => {
        const count = matching.select((eb) => eb.fn.countAll<number>().as('total'))
        return Number((await count.executeTakeFirstOrThrow()).total)
      },
    },
  )
}

function filtered(db: Db, filter: UploadFilter, now: number) {
  let uploads = db
    .selectFrom('uploads')
    .where('deletedAt', 'is', null)
    .where((eb) => eb.or([eb('expireAt', 'is', null), eb('expireAt', '>', now)]))
  if (filter.userId !== undefined) uploads = uploads.where('userId', '=', filter.userId)
  if (filter.userToken !== undefined) uploads = uploads.where('userToken', '=', filter.userToken)
  for (const name of bits) {
    const wanted = filter[name]
    if (wanted !== undefined) uploads = uploads.where(name, '=', (wanted ? 1 : 0) satisfies Bit)
  }
  if (filter.password !== undefined)
    uploads = uploads.where('passwordHash', filter.password ? 'is not' : 'is', null)
  if (filter.e2ee !== undefined) uploads = uploads.where('e2ee', filter.e2ee ? '!=' : '=', '')
  return uploads
}
