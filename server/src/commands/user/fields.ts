import { NewUser, UserUpdate } from '@svc/contract'
import { schemaValidator } from '../../export/schema-validator.ts'
import { UsageError } from '../base/usage-error.ts'
import { lifetimeOption, sizeOption } from '../base/values.ts'

const size = 'a size such as `10 GB`, `unlimited`, or `default` for the server’s value'

/** The fields of a user that an admin can set. */
export const fieldArguments = {
  name: { type: 'string', description: 'Display name', valueHint: 'NAME' },
  email: { type: 'string', description: 'Email address', valueHint: 'ADDRESS' },
  'max-file-size': { type: 'string', description: `Largest file: ${size}`, valueHint: 'SIZE' },
  'max-user-size': { type: 'string', description: `Quota for all files: ${size}`, valueHint: 'SIZE' },
  'max-ttl': {
    type: 'string',
    description: 'Longest time to live: a duration such as `30d`, `unlimited`, or `default`',
    valueHint: 'DURATION',
  },
} as const

interface FieldOptions {
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly 'max-file-size'?: string | undefined
  readonly 'max-user-size'?: string | undefined
  readonly 'max-ttl'?: string | undefined
}

/**
 * The fields that the options name.
 * @throws UsageError
 */
export function fieldsOf(options: FieldOptions) {
  const { name, email } = options
  const maxFileSize = optional(options['max-file-size'], (text) => sizeOption('max-file-size', text))
  const maxUserSize = optional(options['max-user-size'], (text) => sizeOption('max-user-size', text))
  const maxTTL = optional(options['max-ttl'], (text) => lifetimeOption('max-ttl', text))
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(maxFileSize !== undefined && { maxFileSize }),
    ...(maxUserSize !== undefined && { maxUserSize }),
    ...(maxTTL !== undefined && { maxTTL }),
  }
}

const optional = <Value>(text: string | undefined, parse: (text: string) => Value): Value | undefined =>
  text === undefined ? undefined : parse(text)

/**
 * The same rules as for requests.
 * @throws UsageError
 */
export const checkNewUser = (user: NewUser): void => requireValid(schemaValidator(NewUser)(user))

/** @throws UsageError */
export const checkUserUpdate = (update: UserUpdate): void => requireValid(schemaValidator(UserUpdate)(update))

function requireValid(fault: string | null): void {
  if (fault !== null) throw new UsageError(fault)
}
