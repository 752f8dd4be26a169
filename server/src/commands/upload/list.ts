import { defineCommand, type ArgsDef } from 'citty'
import { type Column, roughSize, table } from '@svc/terminal'
import { firstRows } from '../base/first-rows.ts'
import { userOfArgument } from '../base/user-argument.ts'
import type { Service } from '../../core/service.ts'
import type { UploadRecord } from '../../domain/records.ts'
import { printResult, remainder } from '../terminal/print-result.ts'
import { commonArguments, limitArgument } from '../base/common-arguments.ts'
import { date } from '../terminal/formats.ts'
import { onService } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'
import { rowsOption } from '../base/values.ts'
import { describe, optionsOf } from './describe.ts'

const args = {
  user: {
    type: 'string',
    description: 'Only uploads of this user: an id, or the login of a local user',
    valueHint: 'USER',
  },
  sort: {
    type: 'enum',
    options: ['date', 'size'],
    default: 'date',
    description: 'Sort by newest or largest first',
  },
  ...limitArgument,
  ...commonArguments,
} satisfies ArgsDef

const columns: readonly Column<UploadRecord>[] = [
  ['ID', ({ id }) => id],
  ['CREATED', ({ createdAt }) => date(createdAt)],
  ['EXPIRES', ({ expireAt }) => (expireAt === null ? 'never' : date(expireAt))],
  ['FILES', ({ fileCount }) => fileCount],
  ['SIZE', ({ size }) => roughSize(size)],
  ['USER', ({ userId }) => userId ?? '-'],
  ['OPTIONS', optionsOf],
]

export const listUploads = (program: Program) =>
  defineCommand({
    meta: { name: 'list', description: 'List uploads, without expired and removed ones' },
    args,
    async run({ args: options }) {
      const limit = rowsOption(options.limit)
      const { listing, described } = await onService(program, options, async (service) => {
        const filter =
          options.user === undefined ? {} : { userId: (await userOfArgument(service, options.user)).id }
        const sort = options.sort === 'size' ? 'size' : 'createdAt'
        const listing = await firstRows(limit, (query) =>
          service.store.uploads.page(filter, sort, query, service.clock.now()),
        )
        return { listing, described: options.json === true ? await describeAll(service, listing.rows) : [] }
      })
      printResult(program, options, described, () => [...table(columns, listing.rows), ...remainder(listing)])
    },
  })

/** Uploads per query for their files: a query can have this many ids. */
const batchSize = 500

async function describeAll(service: Pick<Service, 'config' | 'store'>, uploads: readonly UploadRecord[]) {
  const described = []
  for (let from = 0; from < uploads.length; from += batchSize) {
    const batch = uploads.slice(from, from + batchSize)
    const files = await service.store.files.listOf(batch.map(({ id }) => id))
    const ofUpload = Map.groupBy(files, ({ uploadId }) => uploadId)
    described.push(...batch.map((upload) => describe(service, upload, ofUpload.get(upload.id) ?? [])))
  }
  return described
}
