import type { UserRecord } from '../records.ts'

type Limits = Pick<UserRecord, 'maxFileSize' | 'maxUserSize' | 'maxTTL'>

/** What a limit of the server becomes for a user: 0 takes the server's value, all else wins over it (specification §8, rule 2). */
const effective = (own: number, server: number): number => (own === 0 ? server : own)

/** Bytes; negative means unlimited. @param user null for anonymous callers */
export const maxFileSizeOf = (user: Limits | null, server: Limits): number =>
  effective(user?.maxFileSize ?? 0, server.maxFileSize)

/** Bytes; negative means unlimited, as for anonymous callers (specification §8, rule 4). */
export const maxUserSizeOf = (user: Limits | null, server: Limits): number =>
  user === null ? -1 : effective(user.maxUserSize, server.maxUserSize)

/** Seconds; 0 or less means no limit (specification §8, rule 5). */
export const maxTTLOf = (user: Limits | null, server: Limits): number =>
  effective(user?.maxTTL ?? 0, server.maxTTL)
