import type { Readable } from 'node:stream'

/** A place in the file system. A path with bytes that are not text is a buffer. */
export type Location = string | Buffer

/** What files, folders and links of a disk have in common. */
interface OnDisk {
  /** Path for messages, as the user wrote it. */
  readonly path: string
  readonly location: Location
  /** Name in the upload; `/` separates folders. */
  readonly name: string
  /** Permissions (POSIX). */
  readonly mode: number
  /** Time of the last change of the content, in nanoseconds. */
  readonly changedAt: bigint
}

/** A file on the disk. */
export interface FileItem extends OnDisk {
  readonly kind: 'file'
  /** Bytes. */
  readonly size: number
  /** Time of the last change of the content or of the attributes, in nanoseconds. Programs cannot set it. */
  readonly statusChangedAt: bigint
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

/** A folder, which only archives contain. */
export interface FolderEntry extends OnDisk {
  readonly kind: 'folder'
}

/** A symbolic link, which only archives contain. */
export interface LinkEntry extends OnDisk {
  readonly kind: 'link'
  readonly target: string
}

/** The time of the last change, to the millisecond. */
export const changeDate = ({ changedAt }: Pick<OnDisk, 'changedAt'>): Date =>
  new Date(Number(changedAt / 1_000_000n))

/** Size and times of a file, which differ once its content has changed. */
export const stateOf = ({ size, changedAt, statusChangedAt }: FileItem): string =>
  [size, changedAt, statusChangedAt].join(' ')

/** What an upload sends. */
export type Item = FileItem | StreamItem

/** What an archive contains. */
export type Entry = Item | FolderEntry | LinkEntry

export const isItem = (entry: Entry): entry is Item => entry.kind === 'file' || entry.kind === 'stream'

/** What a user should know about a path of the command line. */
export interface Problem {
  readonly path: string
  readonly reason: string
  /**
   * `failed` makes the command fail; `skipped` is not sent, without a failure; `warning` is sent in another way than expected;
   * `note` is sent.
   */
  readonly kind: 'failed' | 'skipped' | 'warning' | 'note'
}

export const isLeftOut = ({ kind }: Problem): boolean => kind === 'failed' || kind === 'skipped'
