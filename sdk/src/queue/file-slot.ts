import type { File, Upload } from '@svc/contract'
import { ApiError } from '../core/api-error.ts'
import type { Client } from '../api/client.ts'
import type { ResumeMemory } from '../resumable/resumable-file.ts'

/** What adding files needs to know of an upload. */
export type UploadRef = Pick<Upload, 'id' | 'e2ee' | 'stream'> & {
  readonly uploadToken?: string | undefined
}

/** A file's place in an upload: declared beforehand, or taken when its sending begins. */
export interface FileSlot {
  /** Id of the declared file; undefined when there is none (any more). */
  readonly id: () => string | undefined
  /** Where its sending resumes. */
  readonly memory: ResumeMemory
  /** It may have been begun: the next sending asks before it begins. */
  readonly markUncertain: () => void
  /** Whether an error says that the declared file is gone: removed, or given up on the way. */
  readonly isLost: (error: unknown) => boolean
  /** The next sending takes a new one. */
  readonly reset: () => void
  /** Removes the declared file. A stream file keeps its declaration for a retry. */
  readonly release: () => Promise<void>
}

export function createFileSlot(
  client: Pick<Client, 'removeFile'>,
  upload: UploadRef,
  fileName: string,
  declared: File | undefined,
): FileSlot {
  let id = declared?.id
  let begun: string | undefined
  const reset = () => {
    id = undefined
    begun = undefined
  }
  return {
    id: () => id,
    memory: {
      get: () => begun,
      set: (_, fileID) => {
        begun = fileID
      },
      remove: () => {
        begun = undefined
      },
    },
    markUncertain: () => {
      begun ??= id
    },
    isLost: (error) =>
      id !== undefined &&
      !upload.stream &&
      error instanceof ApiError &&
      (error.code === 'file_not_missing' || error.code === 'file_not_found'),
    reset,
    release: async () => {
      const left = begun ?? id
      if (left === undefined || upload.stream) return
      reset()
      try {
        await client.removeFile(upload.id, { id: left, fileName }, { uploadToken: upload.uploadToken })
      } catch {
        // Already gone; or no connection, then the server gives it up after a while.
      }
    },
  }
}
