import { defineCommand, type ArgsDef } from 'citty'
import { loadUpload } from '../../core/load-upload.ts'
import { removeUpload } from '../../core/remove.ts'
import { answer } from '../answer.ts'
import { commonArguments } from '../common-arguments.ts'
import { onService } from '../on-service.ts'
import type { Program } from '../program.ts'

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
