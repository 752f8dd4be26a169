import type { AliasableExpression } from 'kysely'
import type { UploadRecord } from '../../domain/records.ts'
import { optionFilter, optionValues, type FilteredOption } from '../../domain/limits/upload-options.ts'
import {
  countRows,
  pageOf,
  type PageBounds,
  type ApplyPage,
  type PageOf,
  type PageQuery,
} from '../query/page.ts'
import type { Db } from '../query/prepared.ts'
import { isMarked, isRemoving } from './removals.ts'

/** Restricts a listing of uploads. An absent member does not restrict it. */
export interface UploadFilter extends Readonly<Partial<Record<FilteredOption, boolean>>> {
  readonly userId?: string
  readonly userToken?: string
}

export type UploadSort = 'createdAt' | 'size'

/**
 * A page of the uploads that are neither removed nor expired.
 * @param now ms; expired uploads are left out even before cleanup removes them
 */
export async function uploadPage(
  db: Db,
  filter: UploadFilter,
  sort: UploadSort,
  query: PageQuery,
  now: number,
): Promise<PageOf<UploadRecord>> {
  const uploads = present(db, now, await isRemoving(db))
  const { userId, userToken, ...options } = filter
  if (userId === undefined && userToken === undefined) return pageOfAll(db, uploads, options, sort, query)
  const matching = ofOwner(uploads, filter)
  const isFiltered = optionFilter(options).mask !== 0
  return pageOf(
    query,
    { sort, id: 'id' },
    {
      rows: (applyPage, { direction }) =>
        isFiltered
          ? // PostgreSQL looks at the options in the index only if it reads nothing else.
            withAllColumns(db, applyPage(matching.select(['id', `${sort} as at`])), direction)
          : applyPage(matching.selectAll()).execute(),
      // An index alone serves this query: it has all its columns.
      count: (atMost) => countRows(db, matching, 'uploads.id', atMost),
      ...(isFiltered && {
        countBehind: (atMost, applyBehind) => countRows(db, applyBehind(matching), 'uploads.id', atMost),
      }),
    },
  )
}

type Uploads = ReturnType<typeof present>
type Options = Readonly<Partial<Record<FilteredOption, boolean>>>

/** @param removing whether a mass removal is in progress; otherwise its condition would prevent index-only scans */
function present(db: Db, now: number, removing: boolean) {
  const uploads = db
    .selectFrom('uploads')
    .where('deletedAt', 'is', null)
    .where((eb) => eb.or([eb('expireAt', 'is', null), eb('expireAt', '>', now)]))
  return removing ? uploads.where((eb) => eb.not(isMarked(eb))) : uploads
}

function ofOwner(uploads: Uploads, { userId, userToken, ...options }: UploadFilter): Uploads {
  let matching = uploads
  if (userId !== undefined) matching = matching.where('userId', '=', userId)
  if (userToken !== undefined) matching = matching.where('userToken', '=', userToken)
  const { mask, value } = optionFilter(options)
  return mask === 0 ? matching : matching.where((eb) => eb(eb('options', '&', mask), '=', value))
}

/**
 * A page of the uploads of all users. The index begins with the options, of which there are few combinations: the query
 * merges the first rows of each combination that matches. It reads few rows even if matches are rare.
 */
function pageOfAll(
  db: Db,
  uploads: Uploads,
  filter: Options,
  sort: UploadSort,
  query: PageQuery,
): Promise<PageOf<UploadRecord>> {
  const values = optionValues(filter)
  const isFiltered = optionFilter(filter).mask !== 0
  return pageOf(
    query,
    { sort, id: 'id' },
    {
      rows: (applyPage, bounds) => merged(db, uploads, values, sort, applyPage, bounds),
      count: (atMost) =>
        countRows(db, isFiltered ? uploads.where('options', 'in', values) : uploads, 'uploads.id', atMost),
    },
  )
}

async function merged(
  db: Db,
  uploads: Uploads,
  values: readonly number[],
  sort: UploadSort,
  applyPage: ApplyPage,
  { direction, limit }: PageBounds,
): Promise<UploadRecord[]> {
  const parts = values.map((options) => {
    const part = applyPage(uploads.where('options', '=', options).select(['id', `${sort} as at`]))
    return db.selectFrom(part.as('part')).selectAll()
  })
  const [first, ...others] = parts
  if (first === undefined) return []
  const all = others.reduce((union, part) => union.unionAll(part), first)
  const page = db
    .selectFrom(all.as('all'))
    .selectAll()
    .orderBy('at', direction)
    .orderBy('id', direction)
    .limit(limit)
  return withAllColumns(db, page, direction)
}

/** The uploads of a page in its order. */
function withAllColumns(
  db: Db,
  page: AliasableExpression<{ id: string; at: number }>,
  direction: PageBounds['direction'],
): Promise<UploadRecord[]> {
  return db
    .selectFrom(page.as('page'))
    .innerJoin('uploads', 'uploads.id', 'page.id')
    .selectAll('uploads')
    .orderBy('page.at', direction)
    .orderBy('page.id', direction)
    .execute()
}
