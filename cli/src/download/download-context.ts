import type { File } from '@svc/contract'
import type { RetryPolicy } from '@svc/sdk'
import type { Downloader } from '../addresses/open-address.ts'
import type { DownloadSource } from '../sources/source.ts'
import type { RateLimit } from '../transfer/rate-limit.ts'

/** The context of the downloads of a source. */
export interface DownloadContext extends Pick<
  DownloadSource,
  'client' | 'direct' | 'upload' | 'access' | 'isRepeatable' | 'checksumOf' | 'contentOf'
> {
  readonly retryPolicy: RetryPolicy
  readonly rateLimit: RateLimit
  readonly signal: AbortSignal
  readonly onBytes: (bytes: number) => void
  /** Connections for one file. */
  readonly jobs: number
}

/** Bytes. For fewer, opening a direct connection takes longer than the download. */
const directFrom = 1024 * 1024

/** The client that reads this many bytes the fastest. The size of a stream may be unknown. */
export const clientFor = ({ client, direct, upload }: DownloadContext, bytes: number): Downloader =>
  upload.stream || bytes > directFrom ? direct : client

/** Identifies the content of a file in a request for a part of it. */
export const ifRangeOf = ({ md5 }: File) => (md5 === '' ? {} : { ifRange: `"${md5}"` })
