import { NewUserToken, tokenScopes } from '@svc/contract'
import { defineCommand, type ArgsDef } from 'citty'
import { schemaValidator } from '../../export/schema-validator.ts'
import { userOfArgument } from '../base/user-argument.ts'
import * as tokens from '../../core/accounts/user-tokens.ts'
import { printResult } from '../terminal/print-result.ts'
import { commonArguments, userArgument } from '../base/common-arguments.ts'
import { onService } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'
import { UsageError } from '../base/usage-error.ts'
import { durationOption } from '../base/values.ts'

const args = {
  ...userArgument,
  comment: { type: 'string', description: 'Purpose of the token', valueHint: 'TEXT' },
  expires: {
    type: 'string',
    description: 'Time until it expires, such as `90d`; never by default',
    valueHint: 'DURATION',
  },
  scopes: {
    type: 'string',
    description: `Scopes, separated by commas: ${tokenScopes.join(', ')}; all by default`,
    valueHint: 'SCOPES',
  },
  ...commonArguments,
} satisfies ArgsDef

export const createToken = (program: Program) =>
  defineCommand({
    meta: { name: 'create', description: 'Create a token of a user and print it' },
    args,
    async run({ args: options }) {
      const { comment, expires, scopes } = options
      const lifetime = expires === undefined ? undefined : durationOption('expires', expires)
      const expiresAt = lifetime === undefined ? undefined : program.clock.now() + lifetime * 1000
      const newToken = {
        ...(comment !== undefined && { comment }),
        ...(scopes !== undefined && { scopes: scopes.split(',').map((scope) => scope.trim()) }),
        ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
      }
      const fault = schemaValidator(NewUserToken)(newToken)
      if (fault !== null) throw new UsageError(fault)
      const created = await onService(program, options, async (service) => {
        const user = await userOfArgument(service, options.user)
        return tokens.createToken(service, user.id, newToken as NewUserToken)
      })
      printResult(program, options, created, () => [created.token])
    },
  })
