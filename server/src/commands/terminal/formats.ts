import { formatDuration, formatSize } from '@svc/contract'
import type { Tally } from '../../export/export.ts'
import type { RecordKind } from '../../export/record-lines.ts'

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

/** Kinds that a summary also names when there are no records. */
const alwaysNamed: readonly RecordKind[] = ['user', 'token', 'upload', 'file']

const formatRecords: Readonly<Record<RecordKind, (count: number) => string>> = {
  user: (count) => formatCount(count, 'user'),
  token: (count) => formatCount(count, 'token'),
  request: (count) => formatCount(count, 'upload request'),
  upload: (count) => formatCount(count, 'upload'),
  file: (count) => formatCount(count, 'file'),
  preview: (count) => formatCount(count, 'preview'),
  alias: (count) => `${String(count)} ${count === 1 ? 'alias' : 'aliases'}`,
  download: (count) => formatCount(count, 'download'),
  figure: (count) => formatCount(count, 'daily stat'),
  webhook: (count) => formatCount(count, 'webhook'),
  notification: (count) => `settings of notifications of ${formatCount(count, 'user')}`,
}

/** The number of records of each kind, in the order of an export. */
export const formatTally = (tally: Tally): string =>
  (Object.keys(formatRecords) as RecordKind[])
    .filter((kind) => tally[kind] > 0 || alwaysNamed.includes(kind))
    .map((kind) => formatRecords[kind](tally[kind]))
    .join(', ')
