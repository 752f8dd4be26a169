import type { KyselyPlugin, QueryResult } from 'kysely'

/** Results of statements that were a transaction of their own, and are committed. */
const committed = new WeakSet<QueryResult<unknown>>()

export function markCommitted<Row>(result: QueryResult<Row>): QueryResult<Row> {
  committed.add(result)
  return result
}

/**
 * Holds back the result of a statement that was a transaction of its own until it survives a power cut. The connection serves
 * others meanwhile.
 */
export const durablePlugin = (durable: () => Promise<void>): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    if (committed.has(result)) await durable()
    return result
  },
})
