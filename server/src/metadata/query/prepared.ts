import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { RunSynchronously } from '../dialects/dialect.ts'
import type { Schema } from './schema.ts'

/** What queries run on: the database, or a transaction in it. */
export type Db = Kysely<Schema>

/** Of databases that answer at once, by what Kysely knows each as. */
const atOnce = new WeakMap<object, RunSynchronously>()

/** Lets the prepared queries of a database, and of transactions in it, go the short way. */
export function allowSynchronous(db: Db, run: RunSynchronously): void {
  atOnce.set(db.getExecutor().adapter, run)
}

/** Runs a query: at once where that is possible, since the way through Kysely's queue takes as long as a small statement. */
export async function execute<Row>(db: Db, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const run = atOnce.get(db.getExecutor().adapter)
  return run?.(query, db.isTransaction) ?? db.executeQuery(query)
}

class Slot {
  readonly name: PropertyKey
  constructor(name: PropertyKey) {
    this.name = name
  }
}

/**
 * A query that is compiled once and run with other values each time: compiling costs more than running it.
 * @param build the query; where a value goes, it says `value('name')`
 */
export function prepared<Values extends object, Row>(
  build: (db: Db, value: <Name extends keyof Values>(name: Name) => Values[Name]) => Compilable<Row>,
): (db: Db, values: Values) => Promise<QueryResult<Row>> {
  // Databases that are open at once may need different texts.
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  // Kysely hands values through untouched, so a slot comes out at the place where its value belongs.
  const slot = <Name extends keyof Values>(name: Name) => new Slot(name) as unknown as Values[Name]
  return (db, values) => {
    const { adapter } = db.getExecutor()
    let query = compiled.get(adapter)
    if (query === undefined) compiled.set(adapter, (query = build(db, slot).compile()))
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter,
    )
    return execute(db, { ...query, parameters })
  }
}

/** Whether a conditional update changed its row: who won. */
export const changed = (result: { readonly numAffectedRows?: bigint }): boolean =>
  (result.numAffectedRows ?? 0n) > 0n
