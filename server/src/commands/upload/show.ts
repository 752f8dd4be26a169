import { defineCommand, type ArgsDef } from 'citty'
import { type Column, facts, roughSize, table } from '@svc/terminal'
import { uploadNotFound } from '../../domain/not-found-errors.ts'
import { isId } from '../../domain/ids.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { printResult } from '../terminal/print-result.ts'
import { commonArguments } from '../base/common-arguments.ts'
import { date } from '../terminal/formats.ts'
import { onServiceToRead } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'
import { describe, optionsOf } from './describe.ts'

const args = {
  id: { type: 'positional', required: true, description: 'Id of the upload' },
  ...commonArguments,
} satisfies ArgsDef

const columns: readonly Column<FileRecord>[] = [
  ['FILE', ({ id }) => id],
  ['STATUS', ({ status }) => status],
  ['SIZE', ({ fileSize }) => roughSize(fileSize)],
  ['TYPE', ({ type }) => type],
  ['NAME', ({ fileName }) => fileName],
]

export const showUpload = (program: Program) =>
  defineCommand({
    meta: { name: 'show', description: 'Show an upload and its files, including an expired or removed one' },
    args,
    async run({ args: options }) {
      const { upload, files, described } = await onServiceToRead(program, options, async (service) => {
        const upload = isId(options.id) ? await service.store.uploads.find(options.id) : undefined
        if (upload === undefined) throw uploadNotFound()
        const files = await service.store.files.list(upload.id)
        return { upload, files, described: describe(service, upload, files) }
      })
      const { address, deletedAt } = upload
      const removedAt = deletedAt === null ? null : new Date(deletedAt).toISOString()
      printResult(program, options, { ...described, address, removedAt }, () => [
        ...facts(entriesOf(upload)),
        ...(files.length === 0 ? [] : ['', ...table(columns, files)]),
      ])
    },
  })

const entriesOf = (upload: UploadRecord): readonly (readonly [string, string])[] => [
  ['id', upload.id],
  ['user', upload.userId ?? '-'],
  ['from', upload.address],
  ['created', date(upload.createdAt)],
  ['expires', upload.expireAt === null ? 'never' : date(upload.expireAt)],
  ['removed', upload.deletedAt === null ? 'no' : date(upload.deletedAt)],
  ['size', roughSize(upload.size)],
  ['options', optionsOf(upload)],
  ['comments', upload.comments],
]
