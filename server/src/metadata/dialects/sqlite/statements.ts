import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'

/** Prepared statements of one connection to SQLite. */
export interface SqliteStatements {
  /** @throws the error of SQLite */
  run<Row>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<Row>
  /** Whether a statement returns rows. */
  hasRows(sql: string): boolean
}

/** Caches statements by their text, because there are few and preparing one costs more than running it. */
export function sqliteStatements(database: DatabaseSync): SqliteStatements {
  const statements = new Map<string, { readonly statement: StatementSync; readonly toRow: ToRow | null }>()
  const statementOf = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    const names = statement.columns().map(({ name }) => name)
    statement.setReturnArrays(true)
    const entry = { statement, toRow: names.length === 0 ? null : rowFactory(names) }
    statements.set(sql, entry)
    return entry
  }
  return {
    run<Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<Row> {
      const { statement, toRow } = statementOf(sql)
      const values = parameters as readonly SQLInputValue[]
      if (toRow !== null) {
        const rows = statement.all(...values) as unknown as readonly unknown[][]
        return { rows: rows.map(toRow) as Row[] }
      }
      // `run` does a single step, and this pragma releases one page per step.
      if (sql.startsWith('pragma incremental_vacuum')) {
        database.exec(sql)
        return { rows: [] }
      }
      const { changes } = statement.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes) }
    },
    hasRows: (sql) => statementOf(sql).toRow !== null,
  }
}

/** SQLite's `lower` changes only the letters A to Z. */
export function addLower(database: DatabaseSync): void {
  database.function('lower', { deterministic: true }, (text) => String(text).toLowerCase())
}

type ToRow = (values: readonly unknown[]) => object

/**
 * Creates row objects with one hidden class. The objects of Node's SQLite module are dictionaries, which are slow to create
 * and ten times as slow to read. A loop over the columns takes fifteen times as long as generated code.
 */
function rowFactory(names: readonly string[]): ToRow {
  const members = names.map((name, index) => `${JSON.stringify(name)}: values[${String(index)}]`)
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- generated from the names of columns, which no request chooses
  return new Function('values', `return { ${members.join(', ')} }`) as ToRow
}
