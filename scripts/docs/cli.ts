// Writes docs/cli.md from the commands of the command-line client: node scripts/docs/cli.ts
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { idleProgram } from '../../cli/src/documentation/idle-program.ts'
import { markdown } from '../../cli/src/documentation/markdown.ts'
import { commands } from '../../cli/src/commands.ts'

writeFileSync(resolve(import.meta.dirname, '../../docs/cli.md'), await markdown(commands, idleProgram()))
