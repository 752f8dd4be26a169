import { defineCommand, type ArgsDef } from 'citty'
import { printable } from '@svc/terminal'
import { userOfArgument } from '../base/user-argument.ts'
import { finishRemovals } from '../../core/removal/mass-removal.ts'
import { removeUser } from '../../core/accounts/users.ts'
import { formatCount } from '../terminal/formats.ts'
import { printResult } from '../terminal/print-result.ts'
import { confirm, requireAnswer } from '../terminal/ask.ts'
import { commonArguments, userArgument, yesArgument } from '../base/common-arguments.ts'
import { onService } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'

const args = {
  ...userArgument,
  ...yesArgument,
  ...commonArguments,
} satisfies ArgsDef

export const deleteUser = (program: Program) =>
  defineCommand({
    meta: { name: 'delete', description: 'Delete a user with all uploads, tokens and sessions' },
    args,
    async run({ args: options }) {
      requireAnswer(program, options)
      const { id } = await onService(program, options, async (service) => {
        const user = await userOfArgument(service, options.user)
        if (options.yes !== true) {
          const { uploads } = await service.store.totals.ofUser(user.id)
          await confirm(program, `Delete ${printable(user.id)} with ${formatCount(uploads, 'upload')}?`)
        }
        await removeUser(service, user)
        await finishRemovals(service)
        return user
      })
      printResult(program, options, { deleted: id }, () => [`deleted ${printable(id)}`])
    },
  })
