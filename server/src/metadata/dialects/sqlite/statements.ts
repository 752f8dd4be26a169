import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'

/** Prepared statements of one connection to SQLite. */
export interface SqliteStatements {
  /** @throws the error of SQLite */
  run<Row>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<Row>
  /** Whether a statement answers with rows. */
  hasRows(sql: string): boolean
}

/** Statements are cached by their text: the queries are few and preparing costs more than running. */
export function sqliteStatements(database: DatabaseSync): SqliteStatements {
  const statements = new Map<string, { readonly statement: StatementSync; readonly toRow: ToRow | null }>()
  const prepared = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    const names = statement.columns().map(({ name }) => name)
    statement.setReturnArrays(true)
    const made = { statement, toRow: names.length === 0 ? null : rowMaker(names) }
    statements.set(sql, made)
    return made
  }
  return {
    run<Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<Row> {
      const { statement, toRow } = prepared(sql)
      const values = parameters as readonly SQLInputValue[]
      if (toRow !== null) {
        const rows = statement.all(...values) as unknown as readonly unknown[][]
        return { rows: rows.map(toRow) as Row[] }
      }
      // `run` goes one step; this pragma gives a page back with each.
      if (sql.startsWith('pragma incremental_vacuum')) {
        database.exec(sql)
        return { rows: [] }
      }
      const { changes } = statement.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes) }
    },
    hasRows: (sql) => prepared(sql).toRow !== null,
  }
}

/** SQLite's own knows the case of A to Z alone. */
export function addLower(database: DatabaseSync): void {
  database.function('lower', { deterministic: true }, (text) => String(text).toLowerCase())
}

type ToRow = (values: readonly unknown[]) => object

/**
 * Rows become objects here, all of one hidden class: those that SQLite's binding makes are dictionaries, slow to make and
 * ten times as slow to read. A loop that puts each value in its place takes fifteen times as long as written-out code.
 */
function rowMaker(names: readonly string[]): ToRow {
  const members = names.map((name, index) => `${JSON.stringify(name)}: values[${String(index)}]`)
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- made of the names of columns, which no request chooses
  return new Function('values', `return { ${members.join(', ')} }`) as ToRow
}
