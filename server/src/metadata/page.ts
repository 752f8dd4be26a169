import type { SelectQueryBuilder, StringReference } from 'kysely'
import type { Schema } from './schema.ts'

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
}

/** Cursors are null where nothing lies in that direction. */
export interface PageOf<Row> {
  readonly before: Cursor | null
  readonly after: Cursor | null
  readonly total: number
  readonly results: readonly Row[]
}

interface Columns<Row> {
  readonly sort: keyof Row & string
  readonly id: keyof Row & string
}

/** Narrows a query to the rows of a page. */
type Narrow<Row> = <Table extends keyof Schema>(
  query: SelectQueryBuilder<Schema, Table, Row>,
) => SelectQueryBuilder<Schema, Table, Row>

/**
 * One page of a listing, found by the values at its edge (keyset): the last page costs what the first one does.
 * @param columns of the table; an index on (what is filtered, sort, id) is what makes it fast
 */
export async function pageOf<Row extends object>(
  query: PageQuery,
  columns: Columns<Row>,
  source: {
    readonly rows: (narrow: Narrow<Row>) => Promise<Row[]>
    readonly total: () => Promise<number>
  },
): Promise<PageOf<Row>> {
  // Backwards from a cursor, rows are read in the other order and turned round.
  const backwards = query.before !== undefined && query.after === undefined
  const found = await source.rows((select) => edge(select, query, columns, backwards))
  const more = found.length > query.limit
  const results = more ? found.slice(0, query.limit) : found
  if (backwards) results.reverse()
  const cursorAt = (row: Row | undefined): Cursor | null =>
    row === undefined ? null : { value: Number(row[columns.sort]), id: String(row[columns.id]) }
  const first = cursorAt(results[0])
  const last = cursorAt(results.at(-1))
  const total = await source.total()
  if (results.length === 0) return { ...waysBack(query, total), total, results }
  return {
    before: (backwards ? more : query.after !== undefined) ? first : null,
    after: backwards || more ? last : null,
    total,
    results,
  }
}

/** The cursors of a page whose rows are all gone: where it was reached from, there may be some. */
function waysBack({ before, after }: PageQuery, total: number): Pick<PageOf<never>, 'before' | 'after'> {
  const turned = (cursor: Cursor | undefined): Cursor | null => {
    if (cursor === undefined || total === 0) return null
    const { value, id, inclusive } = cursor
    return { value, id, ...(inclusive !== true && { inclusive: true }) }
  }
  return { before: turned(after), after: turned(before) }
}

function edge<Table extends keyof Schema, Row>(
  select: SelectQueryBuilder<Schema, Table, Row>,
  { limit, order, before, after }: PageQuery,
  columns: Columns<Row>,
  backwards: boolean,
): SelectQueryBuilder<Schema, Table, Row> {
  const sort = columns.sort as StringReference<Schema, Table>
  const id = columns.id as StringReference<Schema, Table>
  const ascending = (order === 'asc') !== backwards
  const direction = ascending ? 'asc' : 'desc'
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
  let narrowed = select
  if (after !== undefined) narrowed = beyond(narrowed, after, order === 'asc')
  if (before !== undefined) narrowed = beyond(narrowed, before, order !== 'asc')
  return narrowed
    .orderBy(sort, direction)
    .orderBy(id, direction)
    .limit(limit + 1)
}
