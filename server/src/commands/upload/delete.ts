import { defineCommand, type ArgsDef } from 'citty'
import { printable, roughSize } from '@svc/terminal'
import { removeUploads, uploadsFrom } from '../../core/removal/remove-from-network.ts'
import { removeUpload } from '../../core/removal/remove-upload.ts'
import { loadUpload } from '../../core/uploads/load-upload.ts'
import { commonArguments, uploadFilterArguments, yesArgument } from '../base/common-arguments.ts'
import { onService } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'
import { UsageError } from '../base/usage-error.ts'
import { userOfArgument } from '../base/user-argument.ts'
import { networkOption } from '../base/values.ts'
import { confirm, requireAnswer } from '../terminal/ask.ts'
import { formatCount } from '../terminal/formats.ts'
import { printResult } from '../terminal/print-result.ts'

const args = {
  id: { type: 'positional', required: false, description: 'Id of the upload' },
  ...uploadFilterArguments,
  ...yesArgument,
  ...commonArguments,
} satisfies ArgsDef

export const deleteUpload = (program: Program) =>
  defineCommand({
    meta: {
      name: 'delete',
      description: 'Remove an upload, or all from a network; the next cleanup deletes their data',
    },
    args,
    async run({ args: options }) {
      const { id, address, user } = options
      if ((id === undefined) === (address === undefined))
        throw new UsageError('name an upload, or a network with --address')
      if (id !== undefined) {
        if (user !== undefined) throw new UsageError('--user needs --address')
        await onService(program, options, async (service) => {
          await removeUpload(service, await loadUpload(service, id))
        })
        printResult(program, options, { deleted: id }, () => [
          `removed ${id}; the next cleanup deletes its data`,
        ])
        return
      }
      const network = networkOption('address', address ?? '')
      requireAnswer(program, options)
      const removed = await onService(program, options, async (service) => {
        const owner = user === undefined ? undefined : await userOfArgument(service, user)
        const uploads = await uploadsFrom(service, network, owner?.id)
        if (uploads.length === 0) return 0
        if (options.yes !== true) {
          const size = roughSize(uploads.reduce((sum, upload) => sum + upload.size, 0))
          const ofOwner = owner === undefined ? '' : ` of ${printable(owner.id)}`
          await confirm(
            program,
            `Remove ${formatCount(uploads.length, 'upload')}${ofOwner} from ${network}, ${size}?`,
          )
        }
        return removeUploads(service, uploads)
      })
      printResult(program, options, { deleted: removed }, () => [
        `removed ${formatCount(removed, 'upload')} from ${network}; the next cleanup deletes the data`,
      ])
    },
  })
