import { defineCommand, type ArgsDef } from 'citty'
import { printable } from '@svc/terminal'
import { userOfArgument } from '../base/user-argument.ts'
import { rebindUser } from '../../core/accounts/users.ts'
import { printResult } from '../terminal/print-result.ts'
import { commonArguments, userArgument } from '../base/common-arguments.ts'
import { onService } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'
import { UsageError } from '../base/usage-error.ts'

const args = {
  ...userArgument,
  to: {
    type: 'string',
    description: 'Id of the account at the provider, from the log; by default the next one that signs in',
    valueHint: 'ID',
  },
  ...commonArguments,
} satisfies ArgsDef

/** Maximum length of an id from a provider (OpenID Connect Core §2). */
const maxIdLength = 255

export const rebindUserCommand = (program: Program) =>
  defineCommand({
    meta: {
      name: 'rebind',
      description: 'Bind another account of the provider to this user; ends sessions and tokens',
    },
    args,
    async run({ args: options }) {
      const { to = null } = options
      if (to === '' || (to !== null && to.length > maxIdLength))
        throw new UsageError(`--to must be an id of at most ${String(maxIdLength)} characters`)
      const { id } = await onService(program, options, async (service) => {
        const user = await userOfArgument(service, options.user)
        await rebindUser(service, user, to)
        return user
      })
      printResult(program, options, { rebound: id, to }, () => [
        to === null
          ? `the next account with this name that signs in is bound to ${printable(id)}`
          : `account ${printable(to)} can sign in as ${printable(id)}`,
      ])
    },
  })
