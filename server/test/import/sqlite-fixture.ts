import { DatabaseSync } from 'node:sqlite'

export type Cells = Readonly<Record<string, string | number | null | Uint8Array>>

/** A database of another service, which a test fills. */
export interface SqliteFixture {
  readonly insert: (table: string, row: Cells) => void
  readonly run: (sql: string) => void
  readonly close: () => void
}

export function sqliteFixture(path: string, schema: string): SqliteFixture {
  const database = new DatabaseSync(path)
  database.exec(schema)
  return {
    insert(table, row) {
      const names = Object.keys(row)
      const columns = names.map((name) => `"${name}"`).join(', ')
      database
        .prepare(`insert into "${table}" (${columns}) values (${names.map(() => '?').join(', ')})`)
        .run(...Object.values(row))
    },
    run: (sql) => {
      database.exec(sql)
    },
    close: () => {
      database.close()
    },
  }
}
