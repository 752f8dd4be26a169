import { defineCommand, type ArgsDef } from 'citty'
import { printable } from '@svc/terminal'
import { meantUser } from '../../admin/find-user.ts'
import { finishRemovals } from '../../core/removal/mass-removal.ts'
import { removeUser } from '../../core/accounts/users.ts'
import { answer } from '../terminal/read-answer.ts'
import { confirm } from '../terminal/ask.ts'
import { commonArguments, userArgument } from '../base/common-arguments.ts'
import { onService } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'
import { UsageError } from '../base/usage-error.ts'

const args = {
  ...userArgument,
  yes: { type: 'boolean', description: 'Do not ask; needed where there is no terminal' },
  ...commonArguments,
} satisfies ArgsDef

export const deleteUser = (program: Program) =>
  defineCommand({
    meta: { name: 'delete', description: 'Delete a user with all uploads, tokens and sessions' },
    args,
    async run({ args: given }) {
      if (given.yes !== true && program.input.isTTY !== true)
        throw new UsageError('there is no terminal to ask whether you are sure: say --yes')
      const { id } = await onService(program, given, async (service) => {
        const user = await meantUser(service, given.user)
        if (given.yes !== true) {
          const { uploads } = await service.store.totals.ofUser(user.id)
          await confirm(program, `Delete ${printable(user.id)} with ${String(uploads)} uploads?`)
        }
        await removeUser(service, user)
        await finishRemovals(service)
        return user
      })
      answer(program, given, { deleted: id }, () => [`deleted ${printable(id)}`])
    },
  })
