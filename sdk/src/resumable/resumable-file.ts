import type { SendOptions } from '../http/connection.ts'
import type { RetryPolicy } from '../retry/retry-policy.ts'
import type { StreamSource } from '../source/source.ts'

/** Remembers unfinished files across a reload of the page or a restart of the program. */
export interface ResumeMemory {
  readonly get: (key: string) => Promise<string | null | undefined> | string | null | undefined
  readonly set: (key: string, value: string) => Promise<void> | void
  readonly remove: (key: string) => Promise<void> | void
}

/** How a file is sent in parts, so that it can resume after an interruption. */
export interface ResumableOptions extends Pick<RetryPolicy, 'onInterruption'> {
  /** Files larger than this are sent in parts; 16 MiB by default. */
  readonly threshold?: number
  /** How many attempts may fail in a row without progress; 10 by default. */
  readonly retries?: number | undefined
  /** Maximum bytes of a part; without it the limit of the proxies before the server. */
  readonly maxPartSize?: number
  /**
   * Connections that send a large file at the same time; 1 by default. Each sends a partial upload of at least 1 MiB (tus, Concatenation),
   * and the server copies them to the file at the end: only faster where a single connection cannot use the line. For files that are not
   * declared and a server with this extension; otherwise one connection sends the file.
   */
  readonly parallel?: number | undefined
  readonly memory?: ResumeMemory
  /** Identifies this file in the memory, for example by name, size and date. */
  readonly fingerprint?: string
}

export const defaultThreshold = 16 * 1024 * 1024

/** The resumable upload of one file. */
export interface ResumableFile extends SendOptions, ResumableOptions {
  readonly uploadID: string
  readonly uploadToken?: string | undefined
  /** Id of a file that was declared when the upload was created. */
  readonly fileID?: string | undefined
  readonly size: number
  readonly slice: (start: number, end: number) => Blob | StreamSource
}
