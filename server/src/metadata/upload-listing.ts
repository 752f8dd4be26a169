import type { UploadRecord } from '../domain/records.ts'
import { optionFilter, type FilteredOption } from '../domain/upload-options.ts'
import { pageOf, type PageOf, type PageQuery } from './page.ts'
import type { Db } from './prepared.ts'

/** What a listing of uploads is narrowed to; what is absent narrows nothing. */
export interface UploadFilter extends Readonly<Partial<Record<FilteredOption, boolean>>> {
  readonly userId?: string
  readonly userToken?: string
}

export type UploadSort = 'createdAt' | 'size'

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
  const uploads = matching(db, filter, now)
  return pageOf(
    query,
    { sort, id: 'id' },
    {
      rows: (narrow) => narrow(uploads.selectAll()).execute(),
      // Answered by an index alone: all that is asked for is in it.
      total: async () => {
        const count = uploads.select((eb) => eb.fn.countAll().as('total'))
        return Number((await count.executeTakeFirstOrThrow()).total)
      },
    },
  )
}

function matching(db: Db, { userId, userToken, ...options }: UploadFilter, now: number) {
  let uploads = db
    .selectFrom('uploads')
    .where('deletedAt', 'is', null)
    .where((eb) => eb.or([eb('expireAt', 'is', null), eb('expireAt', '>', now)]))
  if (userId !== undefined) uploads = uploads.where('userId', '=', userId)
  if (userToken !== undefined) uploads = uploads.where('userToken', '=', userToken)
  const { mask, value } = optionFilter(options)
  return mask === 0 ? uploads : uploads.where((eb) => eb(eb('options', '&', mask), '=', value))
}
