import type { UserRecord } from '../records.ts'

type Limits = Pick<UserRecord, 'maxFileSize' | 'maxUserSize' | 'maxTTL'>

/**
 * The effective limit of a user: 0 means the server's value, any other value overrides it
 * (docs/protocol.md#limits).
 */
const effective = (own: number, server: number): number => (own === 0 ? server : own)

/** Bytes; negative means unlimited. @param user null for anonymous callers */
export const maxFileSizeOf = (user: Limits | null, server: Limits): number =>
  effective(user?.maxFileSize ?? 0, server.maxFileSize)

/** Bytes; negative means unlimited, as for anonymous callers (docs/protocol.md#limits). */
export const maxUserSizeOf = (user: Limits | null, server: Limits): number =>
  user === null ? -1 : effective(user.maxUserSize, server.maxUserSize)

/** Seconds; 0 or less means no limit (docs/protocol.md#limits). */
export const maxTTLOf = (user: Limits | null, server: Limits): number =>
  effective(user?.maxTTL ?? 0, server.maxTTL)
