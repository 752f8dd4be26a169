import { providers, type NewUser } from '@svc/contract'
import { defineCommand, type ArgsDef } from 'citty'
import * as users from '../../core/accounts/users.ts'
import { answer } from '../terminal/read-answer.ts'
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
    description:
      'Login; for people of a provider what the provider calls them (address, login, code, subject)',
  },
  provider: {
    type: 'enum',
    options: [...providers],
    default: 'local',
    description: 'Where the user signs in',
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
      description: 'Create a user. Asks for the password unless an option says where it is',
    },
    args,
    async run({ args: given }) {
      const provider = providers.find((name) => name === given.provider) ?? 'local'
      const source = passwordSource(given) ?? (provider === 'local' ? 'ask' : undefined)
      if (source !== undefined && provider !== 'local')
        throw new UsageError(`people of ${provider} sign in there, they have no password here`)
      const fields: NewUser = {
        provider,
        login: given.login,
        ...fieldsOf(given),
        ...(given.admin === true && { admin: true }),
      }
      checkNewUser(fields)
      const { user, password } = await onService(program, given, async (service) => {
        const password = source && (await getPassword(program, source, service.random))
        const whole: NewUser = { ...fields, ...(password !== undefined && { password }) }
        checkNewUser(whole)
        return { user: users.describeUser(await users.createUser(service, whole)), password }
      })
      const told = source === 'generate' ? { password } : {}
      answer(program, given, { ...user, ...told }, () => [
        `created ${user.id}`,
        ...(told.password === undefined ? [] : [`password: ${told.password}`]),
      ])
    },
  })
