import { defineCommand, type ArgsDef } from 'citty'
import type { ServerStats } from '@svc/contract'
import { facts, roughSize } from '@svc/terminal'
import type { Recount } from '../metadata/stats/recount.ts'
import { withWholeTables } from '../composition/server.ts'
import { answer } from './terminal/read-answer.ts'
import { commonArguments } from './base/common-arguments.ts'
import { onService } from './base/on-service.ts'
import type { Program } from './base/program.ts'
import { readConfig } from './base/read-config.ts'

const args = {
  recount: {
    type: 'boolean',
    description: 'First compare the kept figures with the files, and correct what is wrong',
  },
  ...commonArguments,
} satisfies ArgsDef

export const stats = (program: Program) =>
  defineCommand({
    meta: { name: 'stats', description: 'Count users, uploads, files and bytes' },
    args,
    async run({ args: given }) {
      const corrected =
        given.recount === true
          ? await withWholeTables(readConfig(program, given.config), (tables) => tables.recount())
          : undefined
      const figures = await onService(program, given, ({ store }) => store.totals.ofServer())
      answer(program, given, { ...figures, ...(corrected && { corrected }) }, () => [
        ...factsOf(figures),
        ...(corrected === undefined ? [] : correctionsOf(corrected)),
      ])
    },
  })

const factsOf = (figures: ServerStats): readonly string[] =>
  facts([
    ['users', figures.users],
    ['uploads', figures.uploads],
    ['anonymous uploads', figures.anonymousUploads],
    ['files', figures.files],
    ['size', roughSize(figures.totalSize)],
    ['anonymous size', roughSize(figures.anonymousTotalSize)],
  ])

function correctionsOf({ uploads, users, counters }: Recount): readonly string[] {
  if (uploads + users + counters === 0) return ['', 'all kept figures are right']
  return [
    '',
    ...facts([
      ['corrected sizes of uploads', uploads],
      ['corrected used bytes of users', users],
      ['corrected counters', counters],
    ]),
  ]
}
