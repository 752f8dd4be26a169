import type { File, Upload } from '@svc/contract'
import { ApiError } from '../api-error.ts'
import type { Client } from '../client.ts'
import type { ResumeMemory } from '../pieces/pieces-of.ts'

/** An upload as far as whoever adds files has to know it. */
export type UploadPlace = Pick<Upload, 'id' | 'e2ee' | 'stream'> & {
  readonly uploadToken?: string | undefined
}

/** A file's place in an upload: declared beforehand, or taken when its sending begins. */
export interface Place {
  /** Id of the declared file; undefined when there is none (any more). */
  readonly id: () => string | undefined
  /** Where its sending goes on. */
  readonly memory: ResumeMemory
  /** It may have been begun: the next sending asks before it begins. */
  readonly doubt: () => void
  /** Whether an error says that the place is gone: somebody removed it, or it was given up on the way. */
  readonly isLost: (error: unknown) => boolean
  /** The next sending takes a new one. */
  readonly forget: () => void
  /** Gives it up, so that nobody waits for it. A stream file keeps its place to be tried again. */
  readonly leave: () => Promise<void>
}

export function createPlace(
  client: Pick<Client, 'removeFile'>,
  upload: UploadPlace,
  fileName: string,
  declared: File | undefined,
): Place {
  let id = declared?.id
  let begun: string | undefined
  const forget = () => {
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
    doubt: () => {
      begun ??= id
    },
    isLost: (error) =>
      id !== undefined &&
      !upload.stream &&
      error instanceof ApiError &&
      (error.code === 'file_not_missing' || error.code === 'file_not_found'),
    forget,
    leave: async () => {
      const left = begun ?? id
      if (left === undefined || upload.stream) return
      forget()
      try {
        await client.removeFile(upload.id, { id: left, fileName }, { uploadToken: upload.uploadToken })
      } catch {
        // Already gone; or no connection, then the server gives it up after a while.
      }
    },
  }
}
