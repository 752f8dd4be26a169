import { providers, type NewUser } from '@svc/contract'
import { defineCommand, type ArgsDef } from 'citty'
import * as users from '../../core/accounts/users.ts'
import { printResult } from '../terminal/print-result.ts'
import { commonArguments } from '../base/common-arguments.ts'
import { onService } from '../base/on-service.ts'
import { getPassword, passwordArguments, passwordSource } from '../terminal/password.ts'
import type { Program } from '../base/program.ts'
import { UsageError } from '../base/usage-error.ts'
import { checkNewUser, fieldArguments, fieldsOf } from './fields.ts'

const args = {
  login: {
    type: 'positional',
    required: true,
    description: 'Login; for users of a provider the name there (address, login, code, subject)',
  },
  provider: {
    type: 'enum',
    options: [...providers],
    default: 'local',
    description: 'Provider that the user signs in with',
  },
  ...fieldArguments,
  admin: { type: 'boolean', description: 'Make the user an admin' },
  ...passwordArguments,
  ...commonArguments,
} satisfies ArgsDef

export const createUser = (program: Program) =>
  defineCommand({
    meta: {
      name: 'create',
      description: 'Create a user. Prompts for a password unless an option names its source',
    },
    args,
    async run({ args: options }) {
      const provider = providers.find((name) => name === options.provider) ?? 'local'
      const source = passwordSource(options) ?? (provider === 'local' ? 'ask' : undefined)
      if (source !== undefined && provider !== 'local')
        throw new UsageError(`users of ${provider} sign in with the provider and have no password`)
      const fields: NewUser = {
        provider,
        login: options.login,
        ...fieldsOf(options),
        ...(options.admin === true && { admin: true }),
      }
      checkNewUser(fields)
      const { user, password } = await onService(program, options, async (service) => {
        const password = source && (await getPassword(program, source, service.random))
        const newUser: NewUser = { ...fields, ...(password !== undefined && { password }) }
        checkNewUser(newUser)
        return { user: users.describeUser(await users.createUser(service, newUser)), password }
      })
      const secret = source === 'generate' ? { password } : {}
      printResult(program, options, { ...user, ...secret }, () => [
        `created ${user.id}`,
        ...(secret.password === undefined ? [] : [`password: ${secret.password}`]),
      ])
    },
  })
