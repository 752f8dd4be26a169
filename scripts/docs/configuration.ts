// Writes docs/configuration.md from the table of configuration keys: node scripts/docs/configuration.ts
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { configurationDocumentation } from '../../server/src/config/documentation.ts'

writeFileSync(resolve(import.meta.dirname, '../../docs/configuration.md'), configurationDocumentation())
