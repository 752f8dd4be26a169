import { sql, type Kysely } from 'kysely'
import type { MetadataBackendConfig } from '../../src/config/config.ts'

interface Column {
  readonly dataType: string
  readonly isNullable: boolean
  readonly hasDefaultValue: boolean
}

/** What statements of a program depend on. */
export interface DatabaseSchema {
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, Column>>
  /** Rules about rows, as `TABLE KIND: RULE`: unique indexes, foreign keys and checks. */
  readonly constraints: ReadonlySet<string>
}

/** Each query returns the table and the description of what can refuse a row. */
const constraintQueries: Readonly<Record<MetadataBackendConfig['driver'], string>> = {
  sqlite3: `
    select m.name as "table", 'unique ' || l.name as rule
    from sqlite_master m, pragma_index_list(m.name) l where m.type = 'table' and l."unique" = 1
    union all
    select m.name, 'foreign key ' || f."from"
    from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'
    union all
    select tbl_name, 'trigger ' || name from sqlite_master where type = 'trigger'`,
  postgres: `
    select tablename as "table", 'unique ' || indexname as rule
    from pg_indexes where schemaname = current_schema() and indexdef like 'CREATE UNIQUE%'
    union all
    select conrelid::regclass::text, 'constraint ' || conname
    from pg_constraint where connamespace = current_schema()::regnamespace and contype in ('f', 'c', 'x')
    union all
    select event_object_table, 'trigger ' || trigger_name
    from information_schema.triggers where trigger_schema = current_schema()`,
  mysql: `
    select table_name as "table", concat(lower(constraint_type), ' ', constraint_name) as rule
    from information_schema.table_constraints where table_schema = database()
    union all
    select event_object_table, concat('trigger ', trigger_name)
    from information_schema.triggers where trigger_schema = database()`,
}

export async function schemaOf(
  db: Kysely<unknown>,
  driver: MetadataBackendConfig['driver'],
): Promise<DatabaseSchema> {
  const tables = await db.introspection.getTables()
  const query = driver === 'mysql' ? constraintQueries.mysql.replaceAll('"', '`') : constraintQueries[driver]
  const { rows } = await sql<{ table: string; rule: string }>`${sql.raw(query)}`.execute(db)
  return {
    tables: new Map(
      tables.map(({ name, columns }) => [name, new Map(columns.map((column) => [column.name, column]))]),
    ),
    constraints: new Set(rows.map(({ table, rule }) => `${table.replaceAll('"', '')}: ${rule}`)),
  }
}

/**
 * The changes of a schema with which statements of the program before them can fail: servers of both versions run while one
 * after the other is updated.
 * @returns a line for each, empty when there are none
 */
export function breakingChanges(before: DatabaseSchema, after: DatabaseSchema): readonly string[] {
  const tables = [...before.tables].flatMap(([table, columns]) => {
    const present = after.tables.get(table)
    return present === undefined
      ? [`the table ${table} is gone`]
      : changesOf(columns, present).map((change) => `${table}.${change}`)
  })
  const rules = [...after.constraints]
    .filter((rule) => !before.constraints.has(rule) && before.tables.has(rule.slice(0, rule.indexOf(':'))))
    .map((rule) => `a new rule can refuse rows: ${rule}`)
  return [...tables, ...rules]
}

function changesOf(before: ReadonlyMap<string, Column>, after: ReadonlyMap<string, Column>): string[] {
  const changed = [...before].flatMap(([name, column]) => {
    const present = after.get(name)
    if (present === undefined) return [`${name} is gone`]
    return [
      ...(present.dataType === column.dataType
        ? []
        : [`${name} was ${column.dataType} and is ${present.dataType}`]),
      ...(column.isNullable && !present.isNullable ? [`${name} can no longer be null`] : []),
      ...(column.hasDefaultValue && !present.hasDefaultValue ? [`${name} has no default any more`] : []),
    ]
  })
  const added = [...after]
    .filter(([name, { isNullable, hasDefaultValue }]) => !before.has(name) && !isNullable && !hasDefaultValue)
    .map(([name]) => `${name} is new, not null and without a default`)
  return [...changed, ...added]
}
