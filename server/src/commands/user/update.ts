import type { UserUpdate } from '@svc/contract'
import { defineCommand, type ArgsDef } from 'citty'
import { userOfArgument } from '../base/user-argument.ts'
import * as users from '../../core/accounts/users.ts'
import { printResult } from '../terminal/print-result.ts'
import { commonArguments, userArgument } from '../base/common-arguments.ts'
import { onService } from '../base/on-service.ts'
import { getPassword, passwordArguments, passwordSource } from '../terminal/password.ts'
import type { Program } from '../base/program.ts'
import { UsageError } from '../base/usage-error.ts'
import { checkUserUpdate, fieldArguments, fieldsOf } from './fields.ts'

const args = {
  ...userArgument,
  ...fieldArguments,
  admin: {
    type: 'boolean',
    description: 'Make the user an admin',
    negativeDescription: 'Remove the admin role',
  },
  password: {
    type: 'boolean',
    description: 'Prompt for a new password. A new password ends all sessions and tokens',
  },
  ...passwordArguments,
  ...commonArguments,
} satisfies ArgsDef

export const updateUser = (program: Program) =>
  defineCommand({
    meta: { name: 'update', description: 'Change a user; fields without an option stay unchanged' },
    args,
    async run({ args: options }) {
      const source = passwordSource(options, options.password === true)
      const fields: UserUpdate = {
        ...fieldsOf(options),
        ...(options.admin !== undefined && { admin: options.admin }),
      }
      if (source === undefined && Object.keys(fields).length === 0)
        throw new UsageError('nothing to change: name a field with an option')
      checkUserUpdate(fields)
      const { user, password } = await onService(program, options, async (service) => {
        const user = await userOfArgument(service, options.user)
        const password = source && (await getPassword(program, source, service.random))
        const changes: UserUpdate = { ...fields, ...(password !== undefined && { password }) }
        checkUserUpdate(changes)
        return { user: users.describeUser(await users.updateUser(service, user, changes)), password }
      })
      const secret = source === 'generate' ? { password } : {}
      printResult(program, options, { ...user, ...secret }, () => [
        `changed ${user.id}`,
        ...(secret.password === undefined ? [] : [`password: ${secret.password}`]),
      ])
    },
  })
