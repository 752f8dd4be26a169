import { NewUserToken, tokenScopes } from '@svc/contract'
import { defineCommand, type ArgsDef } from 'citty'
import { faultFinder } from '../../admin/faults.ts'
import { meantUser } from '../../admin/find-user.ts'
import * as tokens from '../../core/accounts/user-tokens.ts'
import { answer } from '../terminal/read-answer.ts'
import { commonArguments, userArgument } from '../base/common-arguments.ts'
import { onService } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'
import { UsageError } from '../base/usage-error.ts'
import { durationOption } from '../base/values.ts'

const args = {
  ...userArgument,
  comment: { type: 'string', description: 'What it is for', valueHint: 'TEXT' },
  expires: {
    type: 'string',
    description: 'When it expires, from now, such as `90d`; never by default',
    valueHint: 'DURATION',
  },
  scopes: {
    type: 'string',
    description: `What it is limited to, separated by commas, of ${tokenScopes.join(', ')}; not limited by default`,
    valueHint: 'SCOPES',
  },
  ...commonArguments,
} satisfies ArgsDef

export const createToken = (program: Program) =>
  defineCommand({
    meta: { name: 'create', description: 'Create a token of a user and print it' },
    args,
    async run({ args: given }) {
      const { comment, expires, scopes } = given
      const lasts = expires === undefined ? undefined : durationOption('expires', expires)
      const end = lasts === undefined ? undefined : program.clock.now() + lasts * 1000
      const asked = {
        ...(comment !== undefined && { comment }),
        ...(scopes !== undefined && { scopes: scopes.split(',').map((scope) => scope.trim()) }),
        ...(end !== undefined && { expiresAt: new Date(end).toISOString() }),
      }
      const fault = faultFinder(NewUserToken)(asked)
      if (fault !== null) throw new UsageError(fault)
      const created = await onService(program, given, async (service) => {
        const user = await meantUser(service, given.user)
        return tokens.createToken(service, user.id, asked as NewUserToken)
      })
      answer(program, given, created, () => [created.token])
    },
  })
