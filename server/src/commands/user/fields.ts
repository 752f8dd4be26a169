import { NewUser, UserUpdate } from '@svc/contract'
import { faultFinder } from '../../admin/faults.ts'
import { UsageError } from '../base/usage-error.ts'
import { lifetimeOption, sizeOption } from '../base/values.ts'

const size = 'a size such as `10 GB`, `unlimited`, or `default` for the server’s value'

/** What an admin may say of a user. */
export const fieldArguments = {
  name: { type: 'string', description: 'Name that is shown', valueHint: 'NAME' },
  email: { type: 'string', description: 'E-mail address', valueHint: 'ADDRESS' },
  'max-file-size': { type: 'string', description: `Largest file: ${size}`, valueHint: 'SIZE' },
  'max-user-size': { type: 'string', description: `Largest sum of the files: ${size}`, valueHint: 'SIZE' },
  'max-ttl': {
    type: 'string',
    description: 'Longest time to live: a duration such as `30d`, `unlimited`, or `default`',
    valueHint: 'DURATION',
  },
} as const

interface Given {
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly 'max-file-size'?: string | undefined
  readonly 'max-user-size'?: string | undefined
  readonly 'max-ttl'?: string | undefined
}

/** The fields that the options name. @throws UsageError */
export function fieldsOf(given: Given) {
  const { name, email } = given
  const maxFileSize = optional(given['max-file-size'], (written) => sizeOption('max-file-size', written))
  const maxUserSize = optional(given['max-user-size'], (written) => sizeOption('max-user-size', written))
  const maxTTL = optional(given['max-ttl'], (written) => lifetimeOption('max-ttl', written))
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(maxFileSize !== undefined && { maxFileSize }),
    ...(maxUserSize !== undefined && { maxUserSize }),
    ...(maxTTL !== undefined && { maxTTL }),
  }
}

const optional = <Value>(
  written: string | undefined,
  parse: (written: string) => Value,
): Value | undefined => (written === undefined ? undefined : parse(written))

/** The same rules as for requests. @throws UsageError */
export const checkNewUser = (user: NewUser): void => refuseFaults(faultFinder(NewUser)(user))

/** @throws UsageError */
export const checkUserUpdate = (update: UserUpdate): void => refuseFaults(faultFinder(UserUpdate)(update))

function refuseFaults(fault: string | null): void {
  if (fault !== null) throw new UsageError(fault)
}
