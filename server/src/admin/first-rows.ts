import type { PageOf, PageQuery } from '../metadata/query/page.ts'

/** Rows of one query. */
const perPage = 500

export interface Listing<Row> {
  readonly rows: readonly Row[]
  /** How many there are altogether; with `totalIsLowerBound`, at least. */
  readonly total: number
  readonly totalIsLowerBound: boolean
}

/** The newest or biggest rows of a listing, first. @param most of them */
export async function firstRows<Row>(
  most: number,
  page: (query: PageQuery) => Promise<PageOf<Row>>,
): Promise<Listing<Row>> {
  const rows: Row[] = []
  let query: PageQuery = { limit: Math.min(perPage, most), order: 'desc' }
  for (;;) {
    const { results, after, total, totalIsLowerBound } = await page(query)
    rows.push(...results)
    if (after === null || rows.length >= most) return { rows, total, totalIsLowerBound }
    query = { ...query, limit: Math.min(perPage, most - rows.length), after }
  }
}
