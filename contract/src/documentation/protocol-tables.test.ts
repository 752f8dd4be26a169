import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { withProtocolTables } from './protocol-tables.ts'

test('docs/protocol.md has the endpoints and errors of the contract (node scripts/docs/protocol.ts writes them)', () => {
  const written = readFileSync(resolve(import.meta.dirname, '../../../docs/protocol.md'), 'utf8')
  expect(written).toContain('`/upload/{uploadID}`')
  expect(written).toBe(withProtocolTables(written))
})
