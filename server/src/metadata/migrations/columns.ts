import { sql, type ColumnDefinitionBuilder, type Kysely, type OnModifyForeignAction } from 'kysely'
import type { Capabilities } from '../dialects/dialect.ts'

/** Types of text columns, which compare equally in every database. */
export function textTypes({ textCollation }: Capabilities) {
  const collated = textCollation === null ? sql`` : sql.raw(` collate ${textCollation}`)
  return {
    /** @param length in characters */
    varchar: (length: number) => sql`varchar(${sql.lit(length)})${collated}`,
    text: sql`text${collated}`,
  }
}

/**
 * A foreign key to the column `id` of a table. Depending on the database, it is a part of the column (`onColumn`) or a
 * separate statement (`addConstraint`).
 */
export const foreignKey = (
  { inlineReferences }: Capabilities,
  [table, column]: readonly [table: string, column: string],
  [target, onDelete]: readonly [table: string, onDelete: OnModifyForeignAction],
) => ({
  onColumn: (definition: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
    inlineReferences ? definition.references(`${target}.id`).onDelete(onDelete) : definition,
  async addConstraint(db: Kysely<unknown>): Promise<void> {
    if (inlineReferences) return
    await db.schema
      .alterTable(table)
      .addForeignKeyConstraint(`${table}_${column}`, [column], target, ['id'])
      .onDelete(onDelete)
      .execute()
  },
})
