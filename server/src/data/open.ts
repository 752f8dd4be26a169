import type { DataBackend } from './backend/backend.ts'
import { fileBackend, type FileBackendOptions } from './file/file.ts'
import { memoryBackend } from './memory/memory.ts'
import type { Clock } from '../domain/clock.ts'
import type { Random } from '../domain/ids.ts'
import type { GcsBackendOptions } from './gcs/open.ts'
import type { S3BackendOptions } from './s3/client/client.ts'
import { partMemory } from './network/part-memory.ts'
import type { SwiftBackendOptions } from './swift/open.ts'

export type DataBackendOptions =
  | ({ readonly kind: 'file' } & FileBackendOptions)
  | ({ readonly kind: 's3' } & S3BackendOptions)
  | ({ readonly kind: 'swift' } & SwiftBackendOptions)
  | ({ readonly kind: 'gcs' } & GcsBackendOptions)
  | { readonly kind: 'memory' }

interface OpenOptions {
  /** False: a missing directory or container is not created. */
  readonly create?: boolean
  /** Processes of the service that share the memory of the machine or the container. */
  readonly workers?: number
}

/**
 * Opens the configured store. Its SDK is imported only when it is used.
 * @throws when the store cannot be used, such as a directory that cannot be created
 */
export async function openDataBackend(
  options: DataBackendOptions,
  clock: Clock,
  random: Random,
  { create = true, workers = 1 }: OpenOptions = {},
): Promise<DataBackend> {
  const backend = await openBackend(options, clock, random, partMemory(workers))
  if (create) await backend.createMissing?.()
  return backend
}

async function openBackend(
  options: DataBackendOptions,
  clock: Clock,
  random: Random,
  memory: number,
): Promise<DataBackend> {
  switch (options.kind) {
    case 'file':
      return fileBackend(options, clock)
    case 's3':
      return (await import('./s3/open.ts')).s3Backend(options, undefined, memory)
    case 'swift':
      return (await import('./swift/open.ts')).swiftBackend(options, { clock, random }, { memory })
    case 'gcs':
      return (await import('./gcs/open.ts')).gcsBackend(options, { clock, random }, { memory })
    case 'memory':
      return memoryBackend()
  }
}
