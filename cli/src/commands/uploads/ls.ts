import { defineCommand } from 'citty'
import { createLinks } from '@svc/sdk'
import { type Column, printableJson, roughSize, table } from '@svc/terminal'
import { outputArgsDef } from '../../arguments/common-args.ts'
import { readHistory, type HistoryEntry } from '../../state/history.ts'
import { roughExpiry } from '../../output/rough-duration.ts'
import type { Program } from '../../program/program.ts'
import { readUnfinished } from '../../state/unfinished/unfinished-upload.ts'
import { isInterrupted } from '../../state/unfinished/recorder.ts'

const argsDef = outputArgsDef

const linkOf = ({ server, id }: HistoryEntry) => createLinks(server).pageURL({ id })

type State = 'complete' | 'unfinished' | 'sending'

interface Listed extends HistoryEntry {
  readonly state: State
}

const columns = ({ clock }: Program): readonly Column<Listed>[] => [
  ['LINK', linkOf],
  ['STATE', ({ state }) => state],
  ['ENDS', ({ expireAt }) => roughExpiry(expireAt, clock.now())],
  ['SIZE', ({ size }) => roughSize(size)],
  ['FILES', ({ names, files }) => names.join(', ') + (files > names.length ? ', …' : '')],
]

export const ls = (program: Program) =>
  defineCommand({
    meta: {
      name: 'ls',
      description: 'List uploads made on this computer that have not expired, including unfinished ones',
    },
    args: argsDef,
    async run({ args }) {
      const uploads = await readUploads(program)
      if (args.json === true) {
        // Readers of the list may lack the right to remove the uploads, so tokens are left out.
        const shown = uploads.map((upload) => ({
          ...upload,
          uploadToken: undefined,
          localNames: undefined,
          url: linkOf(upload),
        }))
        program.print(printableJson(shown))
      } else if (args.quiet === true) for (const upload of uploads) program.print(linkOf(upload))
      else if (uploads.length === 0)
        program.printToStderr('no uploads made on this computer, or all have expired')
      else for (const line of table(columns(program), uploads)) program.print(line)
    },
  })

async function readUploads(program: Program): Promise<readonly Listed[]> {
  const [uploads, unfinished] = await Promise.all([readHistory(program), readUnfinished(program)])
  const states = new Map(
    unfinished.map(
      (upload) => [keyOf(upload), isInterrupted(program, upload) ? 'unfinished' : 'sending'] as const,
    ),
  )
  return uploads.map((upload) => ({ ...upload, state: states.get(keyOf(upload)) ?? 'complete' }))
}

const keyOf = ({ server, id }: Pick<HistoryEntry, 'server' | 'id'>) => `${server} ${id}`
