import { formatDuration, formatSize } from '@svc/contract'
import type { Tally } from '../../export/export.ts'

/** @param ms since the epoch */
export const date = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

export const yesNo = (value: boolean): string => (value ? 'yes' : 'no')

/** A limit of a user, in bytes. */
export const sizeLimit = (bytes: number): string => (bytes === 0 ? 'default' : formatSize(bytes))

/** A limit of a user, in seconds. */
export const lifetimeLimit = (seconds: number): string =>
  seconds === 0 ? 'default' : formatDuration(seconds)

/** A number of things: `1 upload`, `2 uploads`. */
export const counted = (count: number, noun: string): string =>
  `${String(count)} ${noun}${count === 1 ? '' : 's'}`

/** The number of records of each kind. */
export const formatTally = ({ user, token, upload, file, figure, webhook }: Tally): string =>
  [
    counted(user, 'user'),
    counted(token, 'token'),
    counted(upload, 'upload'),
    counted(file, 'file'),
    ...(figure > 0 ? [counted(figure, 'daily counter')] : []),
    ...(webhook > 0 ? [counted(webhook, 'webhook')] : []),
  ].join(', ')
