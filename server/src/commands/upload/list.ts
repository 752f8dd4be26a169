import { defineCommand, type ArgsDef } from 'citty'
import { type Column, roughSize, table } from '@svc/terminal'
import { firstRows } from '../../admin/first-rows.ts'
import { meantUser } from '../../admin/find-user.ts'
import type { Service } from '../../core/service.ts'
import type { UploadRecord } from '../../domain/records.ts'
import { answer, remainder } from '../terminal/read-answer.ts'
import { commonArguments, limitArgument } from '../base/common-arguments.ts'
import { date } from '../terminal/formats.ts'
import { onService } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'
import { rowsOption } from '../base/values.ts'
import { describe, optionsOf } from './describe.ts'

const args = {
  user: {
    type: 'string',
    description: 'Only those of a user: an id, or the login of a local user',
    valueHint: 'USER',
  },
  sort: {
    type: 'enum',
    options: ['date', 'size'],
    default: 'date',
    description: 'The newest or the biggest first',
  },
  ...limitArgument,
  ...commonArguments,
} satisfies ArgsDef

const columns: readonly Column<UploadRecord>[] = [
  ['ID', ({ id }) => id],
  ['CREATED', ({ createdAt }) => date(createdAt)],
  ['ENDS', ({ expireAt }) => (expireAt === null ? 'never' : date(expireAt))],
  ['FILES', ({ fileCount }) => fileCount],
  ['SIZE', ({ size }) => roughSize(size)],
  ['USER', ({ userId }) => userId ?? '-'],
  ['OPTIONS', optionsOf],
]

export const listUploads = (program: Program) =>
  defineCommand({
    meta: { name: 'list', description: 'List uploads that are not over' },
    args,
    async run({ args: given }) {
      const limit = rowsOption(given.limit)
      const { listing, described } = await onService(program, given, async (service) => {
        const filter = given.user === undefined ? {} : { userId: (await meantUser(service, given.user)).id }
        const sort = given.sort === 'size' ? 'size' : 'createdAt'
        const listing = await firstRows(limit, (query) =>
          service.store.uploads.page(filter, sort, query, service.clock.now()),
        )
        return { listing, described: given.json === true ? await describeAll(service, listing.rows) : [] }
      })
      answer(program, given, described, () => [...table(columns, listing.rows), ...remainder(listing)])
    },
  })

/** Uploads whose files are asked for together: a query has room for so many ids. */
const together = 500

async function describeAll(service: Pick<Service, 'config' | 'store'>, uploads: readonly UploadRecord[]) {
  const described = []
  for (let from = 0; from < uploads.length; from += together) {
    const some = uploads.slice(from, from + together)
    const files = await service.store.files.listOf(some.map(({ id }) => id))
    const ofUpload = Map.groupBy(files, ({ uploadId }) => uploadId)
    described.push(...some.map((upload) => describe(service, upload, ofUpload.get(upload.id) ?? [])))
  }
  return described
}
