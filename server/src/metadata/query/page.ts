import type { SelectQueryBuilder, StringReference } from 'kysely'
import type { Db } from './prepared.ts'
import type { Schema } from './schema.ts'

/** Rows that are counted for a total that was not asked for: more of them take longer than the page itself. */
export const cheapTotal = 10_000

/** A place in a listing: between the rows before and after it, whatever is added or removed elsewhere. */
export interface Cursor {
  /** The value that the listing is sorted by. */
  readonly value: number
  /** Tells apart what has the same value. */
  readonly id: string
  /** Whether the row of these values belongs to what lies beyond. Absent: it does not. */
  readonly inclusive?: true
}

export interface PageQuery {
  readonly limit: number
  readonly order: 'asc' | 'desc'
  readonly before?: Cursor
  readonly after?: Cursor
  /** Counts all rows, however many; otherwise up to `cheapTotal`. */
  readonly exactTotal?: boolean
}

/** How many rows a listing has. */
interface Total {
  readonly total: number
  /** There are more rows than that. */
  readonly totalIsLowerBound: boolean
}

/** Cursors are null where nothing lies in that direction. */
export interface PageOf<Row> extends Total {
  readonly before: Cursor | null
  readonly after: Cursor | null
  readonly results: readonly Row[]
}

interface Columns<Row> {
  readonly sort: keyof Row & string
  readonly id: keyof Row & string
}

/** Narrows a query to the rows of a page. */
export type Narrow = <Table extends keyof Schema, Output>(
  query: SelectQueryBuilder<Schema, Table, Output>,
) => SelectQueryBuilder<Schema, Table, Output>

/** Keeps the first rows of a page, of what was narrowed in several parts. */
export interface Edge {
  readonly direction: 'asc' | 'desc'
  /** One more than the page has, to see whether others follow. */
  readonly limit: number
}

/**
 * One page of a listing, found by the values at its edge (keyset): the last page costs what the first one does.
 * @param columns of the table; an index on (what is filtered, sort, id) is what makes it fast
 */
export async function pageOf<Row extends object>(
  query: PageQuery,
  columns: Columns<Row>,
  source: {
    readonly rows: (narrow: Narrow, edge: Edge) => Promise<Row[]>
    /** Counts the rows of the listing, `atMost` of them where that is given. */
    readonly count: (atMost: number | undefined) => Promise<number>
  },
): Promise<PageOf<Row>> {
  // Backwards from a cursor, rows are read in the other order and turned round.
  const backwards = query.before !== undefined && query.after === undefined
  const edge: Edge = {
    direction: (query.order === 'asc') !== backwards ? 'asc' : 'desc',
    limit: query.limit + 1,
  }
  const found = await source.rows((select) => narrowed(select, query, columns, edge), edge)
  const more = found.length > query.limit
  const results = more ? found.slice(0, query.limit) : found
  if (backwards) results.reverse()
  const cursorAt = (row: Row | undefined): Cursor | null =>
    row === undefined ? null : { value: Number(row[columns.sort]), id: String(row[columns.id]) }
  const first = cursorAt(results[0])
  const last = cursorAt(results.at(-1))
  const isAll = !more && query.before === undefined && query.after === undefined
  const total = isAll
    ? { total: results.length, totalIsLowerBound: false }
    : await totalOf(query, source.count)
  if (results.length === 0) return { ...waysBack(query, total), ...total, results }
  return {
    before: (backwards ? more : query.after !== undefined) ? first : null,
    after: backwards || more ? last : null,
    ...total,
    results,
  }
}

async function totalOf(
  { exactTotal = false }: PageQuery,
  count: (atMost: number | undefined) => Promise<number>,
): Promise<Total> {
  if (exactTotal) return { total: await count(undefined), totalIsLowerBound: false }
  const counted = await count(cheapTotal + 1)
  return { total: Math.min(counted, cheapTotal), totalIsLowerBound: counted > cheapTotal }
}

/** Counts the rows of a query, `atMost` of them where that is given. */
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

/** The cursors of a page whose rows are all gone: where it was reached from, there may be some. */
function waysBack({ before, after }: PageQuery, { total }: Total): Pick<PageOf<never>, 'before' | 'after'> {
  const turned = (cursor: Cursor | undefined): Cursor | null => {
    if (cursor === undefined || total === 0) return null
    const { value, id, inclusive } = cursor
    return { value, id, ...(inclusive !== true && { inclusive: true }) }
  }
  return { before: turned(after), after: turned(before) }
}

function narrowed<Table extends keyof Schema, Output>(
  select: SelectQueryBuilder<Schema, Table, Output>,
  { order, before, after }: PageQuery,
  columns: { readonly sort: string; readonly id: string },
  { direction, limit }: Edge,
): SelectQueryBuilder<Schema, Table, Output> {
  const sort = columns.sort as StringReference<Schema, Table>
  const id = columns.id as StringReference<Schema, Table>
  const beyond = (query: typeof select, { value, id: at, inclusive }: Cursor, up: boolean) => {
    const strictly = up ? '>' : '<'
    return (
      query
        .where((eb) =>
          eb(
            eb.refTuple(sort, id),
            inclusive === true ? `${strictly}=` : strictly,
            eb.tuple(value, at) as never,
          ),
        )
        // Says nothing new, but MySQL looks it up in an index. SQLite takes the first that an index has, and with this
        // one it would read all rows of the same value, up to the cursor.
        .where(sort, `${strictly}=`, value as never)
    )
  }
  let rows = select
  if (after !== undefined) rows = beyond(rows, after, order === 'asc')
  if (before !== undefined) rows = beyond(rows, before, order !== 'asc')
  return rows.orderBy(sort, direction).orderBy(id, direction).limit(limit)
}
