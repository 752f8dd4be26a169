import { defineCommand, type ArgsDef } from 'citty'
import { loadUpload } from '../../core/uploads/load-upload.ts'
import { removeUpload } from '../../core/removal/remove-upload.ts'
import { printResult } from '../terminal/print-result.ts'
import { commonArguments } from '../base/common-arguments.ts'
import { onService } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'

const args = {
  id: { type: 'positional', required: true, description: 'Id of the upload' },
  ...commonArguments,
} satisfies ArgsDef

export const deleteUpload = (program: Program) =>
  defineCommand({
    meta: { name: 'delete', description: 'Remove an upload; the next cleanup deletes its data' },
    args,
    async run({ args: options }) {
      const { id } = await onService(program, options, async (service) => {
        const upload = await loadUpload(service, options.id)
        await removeUpload(service, upload)
        return upload
      })
      printResult(program, options, { deleted: id }, () => [
        `removed ${id}; the next cleanup deletes its data`,
      ])
    },
  })
