import { defineCommand } from 'citty'
import { createLinks } from '@svc/sdk'
import { type Column, printableJson, roughSize, table } from '@svc/terminal'
import { outputArguments } from '../arguments/common.ts'
import { readHistory, type HistoryEntry } from '../config/history.ts'
import { roughExpiry } from '../output/rough-duration.ts'
import type { Program } from '../program/program.ts'

const args = outputArguments

const linkOf = ({ server, id }: HistoryEntry) => createLinks(server).pageURL({ id })

const columns = ({ clock }: Program): readonly Column<HistoryEntry>[] => [
  ['LINK', linkOf],
  ['ENDS', ({ expireAt }) => roughExpiry(expireAt, clock.now())],
  ['SIZE', ({ size }) => roughSize(size)],
  ['FILES', ({ names, files }) => names.join(', ') + (files > names.length ? ', …' : '')],
]

export const ls = (program: Program) =>
  defineCommand({
    meta: { name: 'ls', description: 'List uploads made on this computer that have not expired' },
    args,
    async run({ args: given }) {
      const uploads = await readHistory(program)
      if (given.json === true) {
        // Readers of the list may lack the right to remove the uploads, so tokens are left out.
        const shown = uploads.map((upload) => ({ ...upload, uploadToken: undefined, url: linkOf(upload) }))
        program.print(printableJson(shown))
      } else if (given.quiet === true) for (const upload of uploads) program.print(linkOf(upload))
      else if (uploads.length === 0)
        program.printToStderr('no uploads made on this computer, or all have expired')
      else for (const line of table(columns(program), uploads)) program.print(line)
    },
  })
