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

/** A number of things, such as `1 file` or `2 files`. */
export const formatCount = (count: number, noun: string): string =>
  `${String(count)} ${noun}${count === 1 ? '' : 's'}`

/** The number of records of each kind. */
export const formatTally = ({ user, token, upload, file, figure, webhook }: Tally): string =>
  [
    formatCount(user, 'user'),
    formatCount(token, 'token'),
    formatCount(upload, 'upload'),
    formatCount(file, 'file'),
    ...(figure > 0 ? [formatCount(figure, 'daily stat')] : []),
    ...(webhook > 0 ? [formatCount(webhook, 'webhook')] : []),
  ].join(', ')
