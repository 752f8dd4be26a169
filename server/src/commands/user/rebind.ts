import { defineCommand, type ArgsDef } from 'citty'
import { printable } from '@svc/terminal'
import { meantUser } from '../../admin/find-user.ts'
import { rebindUser } from '../../core/accounts/users.ts'
import { answer } from '../terminal/read-answer.ts'
import { commonArguments, userArgument } from '../base/common-arguments.ts'
import { onService } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'
import { UsageError } from '../base/usage-error.ts'

const args = {
  ...userArgument,
  to: {
    type: 'string',
    description:
      'Id of the account at the provider, as it stands in the log; the next one that signs in by default',
    valueHint: 'ID',
  },
  ...commonArguments,
} satisfies ArgsDef

/** As long as an id that a provider may give (OpenID Connect Core §2). */
const longestId = 255

export const rebindUserCommand = (program: Program) =>
  defineCommand({
    meta: {
      name: 'rebind',
      description: 'Let another account of the provider sign in as this user; ends sessions and tokens',
    },
    args,
    async run({ args: given }) {
      const { to = null } = given
      if (to === '' || (to !== null && to.length > longestId))
        throw new UsageError(`--to must be an id of at most ${String(longestId)} characters`)
      const { id } = await onService(program, given, async (service) => {
        const user = await meantUser(service, given.user)
        await rebindUser(service, user, to)
        return user
      })
      answer(program, given, { rebound: id, to }, () => [
        to === null
          ? `the next account of this name that signs in becomes ${printable(id)}`
          : `the account ${printable(to)} may sign in as ${printable(id)}`,
      ])
    },
  })
