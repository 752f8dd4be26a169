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

/** The number of records of each kind. */
export const formatTally = ({ user, token, upload, file, figure, webhook }: Tally): string =>
  `${String(user)} users, ${String(token)} tokens, ${String(upload)} uploads, ${String(file)} files` +
  (figure > 0 ? `, ${String(figure)} daily counters` : '') +
  (webhook > 0 ? `, ${String(webhook)} webhooks` : '')
