import { defineCommand, type ArgsDef } from 'citty'
import { printable } from '@svc/terminal'
import { revokeToken } from '../../core/accounts/user-tokens.ts'
import { tokenNotFound } from '../../core/accounts/account-errors.ts'
import { userTokenIdFrom } from '../../domain/user-token-keys.ts'
import { printResult } from '../terminal/print-result.ts'
import { commonArguments } from '../base/common-arguments.ts'
import { onService } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'

const args = {
  token: {
    type: 'positional',
    required: true,
    description: 'The id of the token, as `svcd token list` shows it, or the token',
  },
  ...commonArguments,
} satisfies ArgsDef

export const deleteToken = (program: Program) =>
  defineCommand({
    meta: { name: 'delete', description: 'Delete a token. It stops working immediately' },
    args,
    async run({ args: options }) {
      const id = userTokenIdFrom(options.token)
      if (id === undefined) throw tokenNotFound()
      const user = await onService(program, options, async (service) => {
        const owner = await service.store.tokens.findUser(id)
        if (owner === undefined) throw tokenNotFound()
        await revokeToken(service, owner.id, id)
        return owner.id
      })
      printResult(program, options, { deleted: id, user }, () => [`deleted a token of ${printable(user)}`])
    },
  })
