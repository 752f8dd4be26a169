import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { RunSynchronously } from '../dialects/dialect.ts'
import type { Schema } from './schema.ts'

/** A database, or a transaction in it. */
export type Db = Kysely<Schema>

/** The synchronous runners of databases that have one, by Kysely's adapter. */
const synchronousRunners = new WeakMap<object, RunSynchronously>()

/** Runs the prepared queries of a database, and of its transactions, synchronously where possible. */
export function enableSynchronous(db: Db, run: RunSynchronously): void {
  synchronousRunners.set(db.getExecutor().adapter, run)
}

/** Runs a query, synchronously where possible, because Kysely's queue takes as long as a small statement. */
export async function execute<Row>(db: Db, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const run = synchronousRunners.get(db.getExecutor().adapter)
  return run?.(query, db.isTransaction) ?? db.executeQuery(query)
}

class Placeholder {
  readonly name: PropertyKey
  constructor(name: PropertyKey) {
    this.name = name
  }
}

/**
 * A query that is compiled once and run with different values, because compiling costs more than running it.
 * @param build builds the query, with `value('name')` as the placeholder of a value
 */
export function preparedQuery<Values extends object, Row>(
  build: (db: Db, value: <Name extends keyof Values>(name: Name) => Values[Name]) => Compilable<Row>,
): (db: Db, values: Values) => Promise<QueryResult<Row>> {
  // Each open database may have another dialect.
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  // Kysely passes values through unchanged, so each placeholder appears among the parameters.
  const placeholder = <Name extends keyof Values>(name: Name) =>
    new Placeholder(name) as unknown as Values[Name]
  return (db, values) => {
    const { adapter } = db.getExecutor()
    let query = compiled.get(adapter)
    if (query === undefined) compiled.set(adapter, (query = build(db, placeholder).compile()))
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    )
    return execute(db, { ...query, parameters })
  }
}

/** Whether a conditional update changed a row. */
export const hasChangedRows = (result: { readonly numAffectedRows?: bigint }): boolean =>
  (result.numAffectedRows ?? 0n) > 0n
