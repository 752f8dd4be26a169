import { defineCommand, type ArgsDef } from 'citty'
import { type Column, roughSize, table } from '@svc/terminal'
import { firstRows, type Listing } from '../base/first-rows.ts'
import { userOfArgument } from '../base/user-argument.ts'
import { uploadsFrom } from '../../core/removal/remove-from-network.ts'
import type { Service } from '../../core/service.ts'
import type { UploadRecord } from '../../domain/records.ts'
import type { UploadSource } from '../../metadata/uploads/upload-batches.ts'
import type { UploadSort } from '../../metadata/uploads/upload-listing.ts'
import { printResult, remainder } from '../terminal/print-result.ts'
import { commonArguments, limitArgument, uploadFilterArguments } from '../base/common-arguments.ts'
import { date } from '../terminal/formats.ts'
import { onServiceToRead } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'
import { networkOption, rowsOption } from '../base/values.ts'
import { describe, optionsOf } from './describe.ts'

const args = {
  ...uploadFilterArguments,
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
      const network = options.address === undefined ? undefined : networkOption('address', options.address)
      const sort = options.sort === 'size' ? 'size' : 'createdAt'
      const { listing, described } = await onServiceToRead(program, options, async (service) => {
        const userId =
          options.user === undefined ? undefined : (await userOfArgument(service, options.user)).id
        const listing =
          network === undefined
            ? await firstRows(limit, (query) =>
                service.store.uploads.page(
                  userId === undefined ? {} : { userId },
                  sort,
                  query,
                  service.clock.now(),
                ),
              )
            : await firstFrom(service, await uploadsFrom(service, network, userId), sort, limit)
        return { listing, described: options.json === true ? await describeAll(service, listing.rows) : [] }
      })
      printResult(program, options, described, () => [...table(columns, listing.rows), ...remainder(listing)])
    },
  })

/** The first of uploads that came from a network: the newest or the largest. */
async function firstFrom(
  { store, clock }: Pick<Service, 'store' | 'clock'>,
  sources: readonly UploadSource[],
  sort: UploadSort,
  limit: number,
): Promise<Listing<UploadRecord>> {
  const first = sources.toSorted((a, b) => b[sort] - a[sort]).slice(0, limit)
  const rows: UploadRecord[] = []
  for (let from = 0; from < first.length; from += batchSize) {
    const ids = first.slice(from, from + batchSize).map(({ id }) => id)
    rows.push(...(await store.uploads.withIds(ids, clock.now())))
  }
  return { rows, total: sources.length, totalIsLowerBound: false }
}

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
