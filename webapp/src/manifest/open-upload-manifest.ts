import type { File, Upload } from '@svc/contract'
import {
  compareWithManifest,
  EncryptionError,
  maxManifestBytes,
  decryptManifest,
  type ManifestComparison,
  type DecryptedManifest,
} from '@svc/encryption'
import { ApiError, type Access } from '@svc/sdk'
import { decryptionKeys } from '../encryption/decryption-keys.ts'
import { bodyOf, fetchEncrypted } from '../encryption/encrypted-file.ts'
import { sharedEngine } from '../encryption/shared-engine.ts'
import { takesMuchWork } from '../encryption/work-factor.ts'
import { isWrongKey } from '../encryption/wrong-key.ts'
import { ManifestError } from './manifest-error.ts'

/** Errors that mean that the manifest is not the one that the sender wrote. */
const forged: readonly unknown[] = [
  'bad_manifest',
  'not_encrypted',
  'bad_header',
  'bad_armor',
  'damaged_chunk',
  'truncated',
  'trailing_data',
]

export interface UploadManifest {
  readonly upload: Upload
  readonly file: File
  readonly access: Access
  /** The mark in the link. */
  readonly mark: string | undefined
}

export interface ManifestKeys {
  /** A key to try. After a wrong one, it is asked again; undefined gives up. */
  readonly next: (refused: boolean) => Promise<string | undefined>
  /** Whether the visitor waits for it: only then it may take much work. */
  readonly wanted: boolean
}

export interface ReadManifest extends Pick<DecryptedManifest, 'isProven'> {
  /** Compares files with those that were sent. */
  readonly compare: (files: readonly File[]) => ManifestComparison<{ id: string; name: string }>
}

async function downloadManifest({ upload, file, access }: UploadManifest): Promise<Blob> {
  if (file.fileSize > maxManifestBytes) throw new ManifestError('manifest_invalid')
  const response = await fetchEncrypted({ upload, file, access }).catch((cause: unknown) => {
    if (cause instanceof ApiError && cause.status === 404)
      throw new ManifestError('manifest_withheld', { cause })
    throw cause
  })
  const reader = bodyOf(response).getReader()
  const parts: Blob[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new ApiError(0, 'network', 'the connection was cut', { cause })
      })
      if (done) break
      length += value.length
      if (length > file.fileSize) throw new ManifestError('manifest_invalid')
      parts.push(new Blob([Uint8Array.from(value)]))
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  if (length < file.fileSize) throw new ApiError(0, 'network', 'the connection was cut')
  return new Blob(parts)
}

/**
 * Fetches and opens the manifest of an upload.
 * @returns undefined when there is no key, or it would take too much work
 * @throws ManifestError `manifest_withheld`, `manifest_invalid`; ApiError, EncryptionError
 */
export async function openUploadManifest(
  source: UploadManifest,
  { next, wanted }: ManifestKeys,
): Promise<ReadManifest | undefined> {
  const encrypted = await downloadManifest(source)
  if (!wanted && (await takesMuchWork(encrypted))) return undefined
  const bytes = new Uint8Array(await encrypted.arrayBuffer())
  for (let key = await next(false); key !== undefined; key = await next(true))
    try {
      const options = { engine: sharedEngine(), mark: source.mark, upload: source.upload.id }
      const { manifest, isProven } = await decryptManifest(bytes, { keys: decryptionKeys(key), ...options })
      const compare: ReadManifest['compare'] = (files) =>
        compareWithManifest(
          manifest,
          files.map(({ id, fileName }) => ({ id, name: fileName })),
        )
      return { isProven, compare }
    } catch (error) {
      if (error instanceof EncryptionError && forged.includes(error.code))
        throw new ManifestError('manifest_invalid', { cause: error })
      if (!isWrongKey(error)) throw error
    }
  return undefined
}
