import { unlimited, type Configuration, type User } from '@svc/contract'

type ServerLimits = Pick<Configuration, 'maxFileSize' | 'maxUserSize' | 'maxTTL'>
type UserLimits = Pick<User, 'maxFileSize' | 'maxUserSize' | 'maxTTL'>

/** Bytes and seconds; -1 for no limit. */
export type Limits = ServerLimits

/**
 * The limits of a user: custom ones, and the server's where those are 0 (docs/protocol.md#limits).
 * A server's time of 0 means no limit, too.
 */
export function effectiveLimits(user: UserLimits, server: ServerLimits): Limits {
  const of = (name: keyof ServerLimits) => {
    const limit = user[name] === 0 ? server[name] : user[name]
    return limit < 0 || (name === 'maxTTL' && limit === 0) ? unlimited : limit
  }
  return { maxFileSize: of('maxFileSize'), maxUserSize: of('maxUserSize'), maxTTL: of('maxTTL') }
}
