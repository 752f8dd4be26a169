import type { PageOf, PageQuery } from '../../metadata/query/page.ts'

/** The number of rows of a query. */
const perPage = 500

export interface Listing<Row> {
  readonly rows: readonly Row[]
  /** The total number of rows; a lower bound with `totalIsLowerBound`. */
  readonly total: number
  readonly totalIsLowerBound: boolean
}

/** The first rows of a listing: the newest or the largest. */
export async function firstRows<Row>(
  maxRows: number,
  page: (query: PageQuery) => Promise<PageOf<Row>>,
): Promise<Listing<Row>> {
  const rows: Row[] = []
  let query: PageQuery = { limit: Math.min(perPage, maxRows), order: 'desc' }
  for (;;) {
    const { results, after, total, totalIsLowerBound } = await page(query)
    rows.push(...results)
    if (after === null || rows.length >= maxRows) return { rows, total, totalIsLowerBound }
    query = { ...query, limit: Math.min(perPage, maxRows - rows.length), after }
  }
}
