import type { File, Upload } from '@svc/contract'
import { ApiError } from '../errors/api-error.ts'
import type { Client } from '../api/client.ts'
import type { ResumeMemory } from '../resumable/resumable-file.ts'

/** The fields of an upload that adding files needs. */
export type UploadRef = Pick<Upload, 'id' | 'e2ee' | 'stream'> & {
  readonly uploadToken?: string | undefined
  readonly oneShot?: boolean | undefined
  readonly maxDownloads?: number | undefined
}

/** The declaration of a file in an upload, made with the upload or when sending begins. */
export interface FileSlot {
  /** Id of the declared file; undefined without a declaration. */
  readonly id: () => string | undefined
  /** State for resuming. */
  readonly memory: ResumeMemory
  /** The file may have been created: the next attempt asks the server first. */
  readonly markUncertain: () => void
  /** Whether an error means that the server has removed the declared file. */
  readonly isLost: (error: unknown) => boolean
  /** Forgets the declaration, so that the next attempt creates a file. */
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
  let startedID: string | undefined
  const reset = () => {
    id = undefined
    startedID = undefined
  }
  return {
    id: () => id,
    memory: {
      get: () => startedID,
      set: (_, fileID) => {
        startedID = fileID
      },
      remove: () => {
        startedID = undefined
      },
    },
    markUncertain: () => {
      startedID ??= id
    },
    isLost: (error) =>
      id !== undefined &&
      !upload.stream &&
      error instanceof ApiError &&
      (error.code === 'file_not_missing' || error.code === 'file_not_found'),
    reset,
    release: async () => {
      const left = startedID ?? id
      if (left === undefined || upload.stream) return
      reset()
      try {
        await client.removeFile(upload.id, { id: left, fileName }, { uploadToken: upload.uploadToken })
      } catch {
        // The file is already removed, or the server expires it later.
      }
    },
  }
}
