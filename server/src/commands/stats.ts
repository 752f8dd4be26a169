import { defineCommand, type ArgsDef } from 'citty'
import { metaOf } from './base/descriptions.ts'
import type { ServerStats } from '@svc/contract'
import { facts, roughSize } from '@svc/terminal'
import type { Recount } from '../metadata/stats/recount.ts'
import { withWholeTables } from '../composition/server.ts'
import { printResult } from './terminal/print-result.ts'
import { commonArguments } from './base/common-arguments.ts'
import { onServiceToRead } from './base/on-service.ts'
import type { Program } from './base/program.ts'
import { readConfig } from './base/read-config.ts'

const args = {
  recount: {
    type: 'boolean',
    description: 'First recount the stored counters from the files, and correct them',
  },
  ...commonArguments,
} satisfies ArgsDef

export const stats = (program: Program) =>
  defineCommand({
    meta: metaOf('stats'),
    args,
    async run({ args: options }) {
      const corrected =
        options.recount === true
          ? await withWholeTables(readConfig(program, options.config), (tables) => tables.recount())
          : undefined
      const totals = await onServiceToRead(program, options, ({ store }) => store.totals.ofServer())
      printResult(program, options, { ...totals, ...(corrected && { corrected }) }, () => [
        ...formatTotals(totals),
        ...(corrected === undefined ? [] : formatCorrections(corrected)),
      ])
    },
  })

const formatTotals = (totals: ServerStats): readonly string[] =>
  facts([
    ['users', totals.users],
    ['uploads', totals.uploads],
    ['anonymous uploads', totals.anonymousUploads],
    ['files', totals.files],
    ['size', roughSize(totals.totalSize)],
    ['anonymous size', roughSize(totals.anonymousTotalSize)],
  ])

function formatCorrections({ uploads, users, counters }: Recount): readonly string[] {
  if (uploads + users + counters === 0) return ['', 'all stored counters are correct']
  return [
    '',
    ...facts([
      ['corrected sizes of uploads', uploads],
      ['corrected used bytes of users', users],
      ['corrected counters', counters],
    ]),
  ]
}
