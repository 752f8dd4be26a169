import {
  sql,
  type AliasedExpression,
  type Expression,
  type ExpressionBuilder,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely'
import type { UploadRecord } from '../../domain/records.ts'
import { optionFilter, optionValues, type FilteredOption } from '../../domain/limits/upload-options.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { countRows, pageOf, type PageOf, type PageQuery } from '../query/page.ts'
import { padKeys } from '../query/padded-keys.ts'
import type { Db } from '../query/prepared.ts'
import type { Schema } from '../query/schema.ts'
import { isMarked, isRemoving } from './removals.ts'

/** Restricts a listing of uploads. An absent member does not restrict it. */
export interface UploadFilter extends Readonly<Partial<Record<FilteredOption, boolean>>> {
  readonly userId?: string
  readonly userToken?: string
  /** The upload request that received it. */
  readonly requestId?: string
}

export type UploadSort = 'createdAt' | 'size'

/** The key of an upload in a listing, with the value of the sort column. */
export type UploadKey = { readonly id: string } & Readonly<Partial<Record<UploadSort, number | undefined>>>

/**
 * A page of the uploads that are neither removed nor expired. It has only their keys: an upload can have 32 KiB of
 * comments, and an index alone serves these queries.
 * @param now ms; an upload past its expiry is left out even before cleanup removes it
 */
export async function uploadKeyPage(
  db: Db,
  { lateralJoins, indexHints }: Pick<Capabilities, 'lateralJoins' | 'indexHints'>,
  filter: UploadFilter,
  sort: UploadSort,
  query: PageQuery,
  now: number,
): Promise<PageOf<UploadKey>> {
  const removing = await isRemoving(db)
  const { userId, userToken, requestId, ...options } = filter
  if (userId === undefined && userToken === undefined && requestId === undefined) {
    const uploads = presentUploads(db, now, removing, lateralJoins ? expiresAfterUnindexed : expiresAfter)
    const counted = indexHints
      ? presentUploads(db, now, removing, expiresAfter, uploadsOtherThanByEnd)
      : uploads
    return pageOfAll(db, { uploads, counted }, options, sort, query, lateralJoins ? laterally : inUnion)
  }
  const uploads = presentUploads(db, now, removing)
  const matching = ofOwner(uploads, filter)
  return pageOf<UploadKey>(
    query,
    { sort, id: 'id' },
    {
      rows: (applyPage) => applyPage(matching.select(['id', sort])).execute(),
      count: (atMost) => countRows(db, matching, 'uploads.id', atMost),
      ...(optionFilter(options).mask !== 0 && {
        countAfter: (atMost, applyAfter) => countRows(db, applyAfter(matching), 'uploads.id', atMost),
      }),
    },
  )
}

/** The uploads with these ids that are neither removed nor expired, in the order of the ids. */
export async function uploadsWithIds(db: Db, ids: readonly string[], now: number): Promise<UploadRecord[]> {
  if (ids.length === 0) return []
  const uploads = presentUploads(db, now, await isRemoving(db))
  const rows = await uploads.selectAll().where('id', 'in', padKeys(ids)).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

type Uploads = ReturnType<typeof presentUploads>
type Options = Readonly<Partial<Record<FilteredOption, boolean>>>

/** @param removing whether a mass removal is in progress; otherwise its condition would prevent index-only scans */
function presentUploads(
  db: Db,
  now: number,
  removing: boolean,
  isCurrent = expiresAfter,
  table: typeof uploadsOtherThanByEnd | 'uploads' = 'uploads',
) {
  const uploads = db
    // The hint changes the plan only.
    .selectFrom(table as 'uploads')
    .where('deletedAt', 'is', null)
    .where((eb) => isCurrent(eb, now))
  return removing ? uploads.where((eb) => eb.not(isMarked(eb))) : uploads
}

/**
 * The table, not by the index of the expiry. MariaDB takes that one to count the uploads with some of the options, and reads the
 * row of each of its entries: 45,000 pages instead of 35.
 */
const uploadsOtherThanByEnd = sql<UploadRecord>`uploads`.as<'uploads'>(
  sql`uploads ignore index (uploads_by_end)`,
)

type UploadExpression = ExpressionBuilder<Schema, 'uploads'>

const expiresAfter = (eb: UploadExpression, now: number): Expression<SqlBool> =>
  eb.or([eb('expireAt', 'is', null), eb('expireAt', '>', now)])

/**
 * The same, but not with the index of the expiry. PostgreSQL may underestimate the rows with it, and would then read all of them
 * for each combination of options.
 */
const expiresAfterUnindexed = (eb: UploadExpression, now: number): Expression<SqlBool> =>
  eb(eb.fn.coalesce('expireAt', eb.val(Number.MAX_SAFE_INTEGER)), '>', now)

function ofOwner(uploads: Uploads, { userId, userToken, requestId, ...options }: UploadFilter): Uploads {
  let matching = uploads
  if (userId !== undefined) matching = matching.where('userId', '=', userId)
  if (userToken !== undefined) matching = matching.where('userToken', '=', userToken)
  if (requestId !== undefined) matching = matching.where('requestId', '=', requestId)
  const { mask, value } = optionFilter(options)
  return mask === 0 ? matching : matching.where((eb) => eb(eb('options', '&', mask), '=', value))
}

/** The first rows of some combinations of options, from a query that has those of one combination. */
type RowsOfEach = (
  db: Db,
  rowsWith: (options: Expression<number>) => SelectQueryBuilder<Schema, 'uploads', UploadKey>,
  combinations: readonly number[],
) => AliasedExpression<UploadKey, 'all'>

/**
 * A page of the uploads of all users. The index begins with the options, of which there are few combinations: the query
 * merges the first rows of each combination that matches. It reads few rows even if matches are rare.
 * @param counted the same uploads, read to count those that match
 */
function pageOfAll(
  db: Db,
  { uploads, counted }: { readonly uploads: Uploads; readonly counted: Uploads },
  filter: Options,
  sort: UploadSort,
  query: PageQuery,
  rowsOfEach: RowsOfEach,
): Promise<PageOf<UploadKey>> {
  const combinations = optionValues(filter)
  const isFiltered = optionFilter(filter).mask !== 0
  return pageOf<UploadKey>(
    query,
    { sort, id: 'id' },
    {
      rows: (applyPage, { direction, limit }) => {
        const rowsWith = (options: Expression<number>) =>
          applyPage(uploads.where('options', '=', options).select(['id', sort]))
        return db
          .selectFrom(rowsOfEach(db, rowsWith, combinations))
          .selectAll()
          .orderBy(sort, direction)
          .orderBy('id', direction)
          .limit(limit)
          .execute()
      },
      count: (atMost) =>
        countRows(
          db,
          isFiltered ? counted.where('options', 'in', combinations) : uploads,
          'uploads.id',
          atMost,
        ),
    },
  )
}

const inUnion: RowsOfEach = (db, rowsWith, combinations) =>
  combinations
    .map((options) => db.selectFrom(rowsWith(sql.val(options)).as('part')).selectAll())
    .reduce((union, part) => union.unionAll(part))
    .as('all')

/** PostgreSQL takes 50 times as long to plan a union of all combinations as to run it. */
const laterally: RowsOfEach = (db, rowsWith, combinations) =>
  db
    .selectFrom(
      sql<{ options: number }>`unnest(${sql.val(combinations)}::int[])`.as<'wanted'>(sql`wanted(options)`),
    )
    .innerJoinLateral(rowsWith(sql.ref('wanted.options')).as('part'), (join) => join.onTrue())
    .selectAll('part')
    .as('all')
