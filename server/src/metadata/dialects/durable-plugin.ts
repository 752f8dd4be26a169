import type { KyselyPlugin, QueryResult } from 'kysely'

/** Results of statements outside a transaction, which are committed. */
const committed = new WeakSet<QueryResult<unknown>>()

export function markCommitted<Row>(result: QueryResult<Row>): QueryResult<Row> {
  committed.add(result)
  return result
}

/**
 * Delays the result of a statement outside a transaction until the commit survives a power cut. Meanwhile the connection
 * runs other queries.
 */
export const durablePlugin = (syncCommits: () => Promise<void>): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    if (committed.has(result)) await syncCommits()
    return result
  },
})
