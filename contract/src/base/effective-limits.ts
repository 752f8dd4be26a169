import { unlimited } from './limits.ts'

/** Maximum sizes in bytes and maximum TTL in seconds, of a user or of the server. */
export interface UploadLimits {
  readonly maxFileSize: number
  readonly maxUserSize: number
  readonly maxTTL: number
}

/**
 * The limits that apply to the uploads of a user: the user's values, and the server's where those are 0
 * (docs/protocol.md#limits). A guest has the server's values and no quota. A maximum TTL of 0 on the server means no limit.
 * @param user null for a guest
 * @returns -1 for each that is unlimited
 */
export function effectiveLimits(user: UploadLimits | null, server: UploadLimits): UploadLimits {
  const maxTTL = limitOf(user?.maxTTL, server.maxTTL)
  return {
    maxFileSize: limitOf(user?.maxFileSize, server.maxFileSize),
    maxUserSize: user === null ? unlimited : limitOf(user.maxUserSize, server.maxUserSize),
    maxTTL: maxTTL === 0 ? unlimited : maxTTL,
  }
}

function limitOf(ofUser = 0, ofServer: number): number {
  const limit = ofUser === 0 ? ofServer : ofUser
  return limit < 0 ? unlimited : limit
}
