import type { DataBackend } from './backend/backend.ts'
import { fileBackend, type FileBackendOptions } from './file/file.ts'
import { memoryBackend } from './memory/memory.ts'
import type { Clock } from '../domain/clock.ts'
import type { Random } from '../domain/ids.ts'
import type { GcsBackendOptions } from './gcs/open.ts'
import type { S3BackendOptions } from './s3/client/client.ts'
import type { SwiftBackendOptions } from './swift/open.ts'

export type DataBackendOptions =
  | ({ readonly kind: 'file' } & FileBackendOptions)
  | ({ readonly kind: 's3' } & S3BackendOptions)
  | ({ readonly kind: 'swift' } & SwiftBackendOptions)
  | ({ readonly kind: 'gcs' } & GcsBackendOptions)
  | { readonly kind: 'memory' }

/**
 * Opens the configured store. Its SDK is imported only when it is used.
 * @param create false: a missing directory is not created
 * @throws when the store cannot be used, such as a directory that cannot be created
 */
export async function openDataBackend(
  options: DataBackendOptions,
  clock: Clock,
  random: Random,
  { create = true }: Pick<FileBackendOptions, 'create'> = {},
): Promise<DataBackend> {
  switch (options.kind) {
    case 'file':
      return fileBackend({ ...options, create }, clock)
    case 's3':
      return (await import('./s3/open.ts')).s3Backend(options)
    case 'swift':
      return (await import('./swift/open.ts')).swiftBackend(options, { clock, random })
    case 'gcs':
      return (await import('./gcs/open.ts')).gcsBackend(options, { clock, random })
    case 'memory':
      return memoryBackend()
  }
}
