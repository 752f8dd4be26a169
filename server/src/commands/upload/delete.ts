import { defineCommand, type ArgsDef } from 'citty'
import { loadUpload } from '../../core/uploads/load-upload.ts'
import { removeUpload } from '../../core/removal/remove-upload.ts'
import { answer } from '../terminal/read-answer.ts'
import { commonArguments } from '../base/common-arguments.ts'
import { onService } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'

const args = {
  id: { type: 'positional', required: true, description: 'Id of the upload' },
  ...commonArguments,
} satisfies ArgsDef

export const deleteUpload = (program: Program) =>
  defineCommand({
    meta: { name: 'delete', description: 'Remove an upload; its data goes with the next cleaning' },
    args,
    async run({ args: given }) {
      const { id } = await onService(program, given, async (service) => {
        const upload = await loadUpload(service, given.id)
        await removeUpload(service, upload)
        return upload
      })
      answer(program, given, { deleted: id }, () => [`deleted ${id}, its data goes with the next cleaning`])
    },
  })
