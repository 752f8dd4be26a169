// Writes the tables of docs/protocol.md that follow from the contract: node scripts/docs/protocol.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { withProtocolTables } from '../../contract/src/documentation/protocol-tables.ts'

const file = resolve(import.meta.dirname, '../../docs/protocol.md')
writeFileSync(file, withProtocolTables(readFileSync(file, 'utf8')))
