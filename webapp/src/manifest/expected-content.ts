import type { File } from '@svc/contract'
import type { ContentDigest } from '@svc/encryption'
import type { ManifestError } from './manifest-error.ts'

/** The content of a file as it was sent. */
export interface ExpectedContent extends ContentDigest {
  /** Refuses the file from now on, because its content is another one. */
  readonly refuse: () => ManifestError
}

/**
 * The content that a file must have; undefined where the upload has no manifest.
 * @throws ManifestError for a file that is refused; ApiError, EncryptionError, SavingError `given_up`
 */
export type ContentOf = (file: Pick<File, 'id' | 'fileName'>) => Promise<ExpectedContent | undefined>
