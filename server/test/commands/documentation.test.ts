import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { schemas } from '../../src/export/record-lines.ts'

/** The names in the first column of the table that is about a kind of line. */
async function documentedFields(kind: string): Promise<string[]> {
  const text = await readFile(join(import.meta.dirname, '../../../docs/admin.md'), 'utf8')
  const [, table = ''] = text.split(new RegExp(`^\\| \`${kind}\` +\\|.*\\n\\|[ |-]*\\n`, 'm'))
  const rows = /^(?:\|.*\n)*/.exec(table)?.[0].trimEnd().split('\n') ?? []
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
}

test.each(Object.entries(schemas))(
  'docs/admin.md has each field of a line of kind %s',
  async (kind, schema) => {
    expect((await documentedFields(kind)).sort()).toEqual(Object.keys(schema.properties).sort())
  },
)
