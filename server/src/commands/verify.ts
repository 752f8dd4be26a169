import { defineCommand, type ArgsDef } from 'citty'
import { metaOf } from './base/descriptions.ts'
import { type Column, facts, roughSize, table } from '@svc/terminal'
import { recordVerification } from '../core/verify/last-verification.ts'
import { totalOf, verify as verifyData, type VerificationReport } from '../core/verify/verify.ts'
import { refuseRoot } from '../composition/refuse-root.ts'
import { printResult, remainder } from './terminal/print-result.ts'
import { commonArguments, limitArgument } from './base/common-arguments.ts'
import { date } from './terminal/formats.ts'
import { onService } from './base/on-service.ts'
import type { Program } from './base/program.ts'
import { readConfig } from './base/read-config.ts'
import { durationOption, rowsOption } from './base/values.ts'

const args = {
  hashes: { type: 'boolean', description: 'Read all files and compare their hashes' },
  repair: {
    type: 'boolean',
    description:
      'Remove files whose data is lost or damaged, and quarantine or delete data that belongs to no file',
  },
  'older-than': {
    type: 'string',
    default: '1d',
    description: 'Repair data that belongs to no file when it has not changed for this long',
    valueHint: 'DURATION',
  },
  force: { type: 'boolean', description: 'Repair even when more than half of all files are wrong' },
  ...limitArgument,
  ...commonArguments,
} satisfies ArgsDef

type Row = VerificationReport['findings'][number]

const size = (bytes: number | null) => (bytes === null ? '-' : roughSize(bytes))

const columns: readonly Column<Row>[] = [
  ['KIND', ({ kind }) => kind],
  ['FILE', ({ file }) => file],
  ['UPLOAD', ({ upload }) => upload ?? '-'],
  ['EXPECTED', ({ expectedSize }) => size(expectedSize)],
  ['STORED', ({ storedSize }) => size(storedSize)],
  ['CHANGED', ({ modifiedAt }) => (modifiedAt === null || modifiedAt === 0 ? '-' : date(modifiedAt))],
  ['REPAIR', ({ action }) => action ?? '-'],
]

export const verify = (program: Program) =>
  defineCommand({
    meta: metaOf('verify'),
    args,
    async run({ args: options }) {
      const limit = rowsOption(options.limit)
      const olderThan = durationOption('older-than', options['older-than']) * 1000
      if (options.repair === true) refuseRoot(readConfig(program, options.config), { writesFiles: true })
      const stop = new AbortController()
      program.onStopSignal(() => {
        stop.abort()
      })
      const report = await onService(program, options, async (service) => {
        const found = await verifyData(service, {
          hashes: options.hashes === true,
          ...(options.repair === true && { repair: { olderThan, force: options.force === true } }),
          limit,
          signal: stop.signal,
        })
        await recordVerification(service.store, { now: service.clock.now(), left: found.left })
        return found
      })
      printResult(program, options, jsonReport(report), () => formatReport(report))
      if (totalOf(report.left) > 0) program.fail(1)
    },
  })

/** For scripts. Times are RFC 3339, sizes bytes. */
const jsonReport = ({ findings, ...report }: VerificationReport) => ({
  ...report,
  findings: findings.map(({ modifiedAt, ...finding }) => ({
    ...finding,
    modifiedAt: modifiedAt === null || modifiedAt === 0 ? null : new Date(modifiedAt).toISOString(),
  })),
})

function formatReport({
  files,
  stored,
  hashed,
  found,
  left,
  findings,
}: VerificationReport): readonly string[] {
  const total = totalOf(found)
  const counted = facts([
    ['files in the database', files],
    ['files in the data store', stored],
    ['files hashed', hashed],
    ...Object.entries(found).filter(([, count]) => count > 0),
    ['left', totalOf(left)],
  ])
  return total === 0
    ? counted
    : [
        ...table(columns, findings),
        ...remainder({ rows: findings, total, totalIsLowerBound: false }),
        '',
        ...counted,
      ]
}
