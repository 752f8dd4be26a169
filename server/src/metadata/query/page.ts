import type { SelectQueryBuilder, StringReference } from 'kysely'
import type { Db } from './prepared.ts'
import type { Schema } from './schema.ts'

/** The maximum of counted rows, unless an exact total is requested: counting more takes longer than reading the page. */
export const maxCountedTotal = 10_000

/** A position in a listing, which stays valid when rows are added or removed. */
export interface Cursor {
  /** The value of the sort column. */
  readonly value: number
  /** Distinguishes rows with the same value. */
  readonly id: string
  /** Includes the row with these values; if absent, the page begins after it. */
  readonly inclusive?: true
}

export interface PageQuery {
  readonly limit: number
  readonly order: 'asc' | 'desc'
  readonly before?: Cursor
  readonly after?: Cursor
  /** Counts all rows; otherwise at most `maxCountedTotal`. */
  readonly exactTotal?: boolean
}

/** The number of rows of a listing. */
interface Total {
  readonly total: number
  /** There are more rows than `total`. */
  readonly totalIsLowerBound: boolean
}

/** A cursor is null if there are no rows in its direction. */
export interface PageOf<Row> extends Total {
  readonly before: Cursor | null
  readonly after: Cursor | null
  readonly results: readonly Row[]
}

interface Columns<Row> {
  readonly sort: keyof Row & string
  readonly id: keyof Row & string
}

/** Restricts a query to the rows of a page. */
export type ApplyPage = <Table extends keyof Schema, Output>(
  query: SelectQueryBuilder<Schema, Table, Output>,
) => SelectQueryBuilder<Schema, Table, Output>

/** Counts the rows of a listing, up to `atMost` if it is given. */
type Count = (atMost: number | undefined) => Promise<number>

/** The order and the number of rows of a page that is merged from several queries. */
export interface PageBounds {
  readonly direction: 'asc' | 'desc'
  /** One more than the page has, which shows whether more rows follow. */
  readonly limit: number
}

/**
 * Reads a keyset page of a listing: the last page costs as much as the first.
 * @param columns columns of the table; the query is fast with an index on the filtered columns, the sort column and the id
 */
export async function pageOf<Row extends object>(
  query: PageQuery,
  columns: Columns<Row>,
  source: {
    readonly rows: (applyPage: ApplyPage, bounds: PageBounds) => Promise<Row[]>
    readonly count: Count
    /**
     * Counts the rows after the first page. Given if the query of a page reads far more rows than match: they are then not
     * read again.
     */
    readonly countAfter?: (atMost: number | undefined, applyAfter: ApplyPage) => Promise<number>
  },
): Promise<PageOf<Row>> {
  // Before a cursor, rows are read in the opposite order and then reversed.
  const backwards = query.before !== undefined && query.after === undefined
  const bounds: PageBounds = {
    direction: (query.order === 'asc') !== backwards ? 'asc' : 'desc',
    limit: query.limit + 1,
  }
  const found = await source.rows((select) => pageRows(select, query, columns, bounds), bounds)
  const more = found.length > query.limit
  const results = more ? found.slice(0, query.limit) : found
  if (backwards) results.reverse()
  const cursorAt = (row: Row | undefined): Cursor | null =>
    row === undefined ? null : { value: Number(row[columns.sort]), id: String(row[columns.id]) }
  const first = cursorAt(results[0])
  const last = cursorAt(results.at(-1))
  const isFirst = query.before === undefined && query.after === undefined
  const { count, countAfter } = source
  const afterFirst: Count | undefined =
    isFirst && last !== null && countAfter !== undefined
      ? async (atMost) => {
          const left = atMost === undefined ? undefined : Math.max(0, atMost - results.length)
          const applyAfter: ApplyPage = (select) =>
            rowsBeyond(select, columns, last, bounds.direction === 'asc')
          return results.length + (await countAfter(left, applyAfter))
        }
      : undefined
  const total =
    isFirst && !more
      ? { total: results.length, totalIsLowerBound: false }
      : await totalOf(query, afterFirst ?? count)
  if (results.length === 0) return { ...cursorsOfEmptyPage(query, total), ...total, results }
  return {
    before: (backwards ? more : query.after !== undefined) ? first : null,
    after: backwards || more ? last : null,
    ...total,
    results,
  }
}

async function totalOf({ exactTotal = false }: PageQuery, count: Count): Promise<Total> {
  if (exactTotal) return { total: await count(undefined), totalIsLowerBound: false }
  const counted = await count(maxCountedTotal + 1)
  return { total: Math.min(counted, maxCountedTotal), totalIsLowerBound: counted > maxCountedTotal }
}

/** Counts the rows of a query, up to `atMost` if it is given. */
export async function countRows<Table extends keyof Schema>(
  db: Db,
  rows: SelectQueryBuilder<Schema, Table, object>,
  id: StringReference<Schema, Table>,
  atMost: number | undefined,
): Promise<number> {
  const ids = rows.select(id)
  const counted = db
    .selectFrom((atMost === undefined ? ids : ids.limit(atMost)).as('counted'))
    .select((eb) => eb.fn.countAll().as('total'))
  return Number((await counted.executeTakeFirstOrThrow()).total)
}

/** The cursors of a page without rows, which point back to the page before. */
function cursorsOfEmptyPage(
  { before, after }: PageQuery,
  { total }: Total,
): Pick<PageOf<never>, 'before' | 'after'> {
  const reverseCursor = (cursor: Cursor | undefined): Cursor | null => {
    if (cursor === undefined || total === 0) return null
    const { value, id, inclusive } = cursor
    return { value, id, ...(inclusive !== true && { inclusive: true }) }
  }
  return { before: reverseCursor(after), after: reverseCursor(before) }
}

function pageRows<Table extends keyof Schema, Output>(
  select: SelectQueryBuilder<Schema, Table, Output>,
  { order, before, after }: PageQuery,
  columns: { readonly sort: string; readonly id: string },
  { direction, limit }: PageBounds,
): SelectQueryBuilder<Schema, Table, Output> {
  const sort = columns.sort as StringReference<Schema, Table>
  const id = columns.id as StringReference<Schema, Table>
  let rows = select
  if (after !== undefined) rows = rowsBeyond(rows, columns, after, order === 'asc')
  if (before !== undefined) rows = rowsBeyond(rows, columns, before, order !== 'asc')
  return rows.orderBy(sort, direction).orderBy(id, direction).limit(limit)
}

/**
 * Restricts a query to the rows on one side of a position.
 * @param up towards larger values
 */
function rowsBeyond<Table extends keyof Schema, Output>(
  select: SelectQueryBuilder<Schema, Table, Output>,
  columns: { readonly sort: string; readonly id: string },
  { value, id: at, inclusive }: Cursor,
  up: boolean,
): SelectQueryBuilder<Schema, Table, Output> {
  const sort = columns.sort as StringReference<Schema, Table>
  const id = columns.id as StringReference<Schema, Table>
  const strictly = up ? '>' : '<'
  return (
    select
      .where((eb) =>
        eb(
          eb.refTuple(sort, id),
          inclusive === true ? `${strictly}=` : strictly,
          eb.tuple(value, at) as never,
        ),
      )
      // The tuple comparison implies this condition, which MySQL looks up in an index. It comes second because SQLite
      // uses the first condition that fits an index, and with this one would read all rows with the same value.
      .where(sort, `${strictly}=`, value as never)
  )
}
