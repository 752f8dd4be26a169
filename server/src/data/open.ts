import type { DataBackend } from './backend.ts'
import { fileBackend, type FileBackendOptions } from './file.ts'
import { memoryBackend } from './memory.ts'

export type DataBackendOptions =
  ({ readonly kind: 'file' } & FileBackendOptions) | { readonly kind: 'memory' }

/** @throws when the store cannot be used: a directory that cannot be made */
export function openDataBackend(options: DataBackendOptions): Promise<DataBackend> {
  return Promise.try(() => {
    switch (options.kind) {
      case 'file':
        return fileBackend(options)
      case 'memory':
        return memoryBackend()
    }
  })
}
