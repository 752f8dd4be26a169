import type { Readable } from 'node:stream'

/** A file on the disk. */
export interface FileItem {
  readonly kind: 'file'
  readonly path: string
  /** What it is called in the upload; `/` separates folders. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Who may read, write and run it (POSIX). */
  readonly mode: number
  /** Of the last change, in nanoseconds: together with the size it shows whether the file changed. */
  readonly changedAt: bigint
}

/** Bytes that can be read once, of unknown number: standard input, a pipe, an archive that is being made. */
export interface StreamItem {
  readonly kind: 'stream'
  readonly name: string
  readonly size?: undefined
  readonly open: () => Readable
  /** Of an archive: the command, with its words, that unpacks it from a pipe. */
  readonly unpack?: readonly string[]
  /** Fails when the bytes that were given are not what they should have been. */
  readonly check?: () => void
}

export type Item = FileItem | StreamItem

/** A path of the command line that is not sent. */
export interface Problem {
  readonly path: string
  readonly reason: string
  /** `failed` makes the command fail; `skipped` is only reported. */
  readonly kind: 'failed' | 'skipped'
}
