import type { Readable } from 'node:stream'

/** A file on the disk. */
export interface FileItem {
  readonly kind: 'file'
  readonly path: string
  /** Name in the upload; `/` separates folders. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Permissions (POSIX). */
  readonly mode: number
  /** Time of the last change, in nanoseconds. With the size, it shows whether the file has changed. */
  readonly changedAt: bigint
}

/** Bytes that can be read once and whose number is unknown: standard input, a pipe, an archive that is being written. */
export interface StreamItem {
  readonly kind: 'stream'
  readonly name: string
  readonly size?: undefined
  readonly open: () => Readable
  /** For an archive: the command and its arguments that unpack it from a pipe. */
  readonly unpack?: readonly string[]
  /** Rejects if the bytes that were read are not the expected ones. */
  readonly check?: () => void
}

/** The time of the last change, to the millisecond. */
export const changeDate = ({ changedAt }: FileItem): Date => new Date(Number(changedAt / 1_000_000n))

export type Item = FileItem | StreamItem

/** A path of the command line that is not sent. */
export interface Problem {
  readonly path: string
  readonly reason: string
  /** `failed` makes the command fail; `skipped` is only reported. */
  readonly kind: 'failed' | 'skipped'
}
