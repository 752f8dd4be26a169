import type { File } from '@svc/contract'
import type { LinkedUpload } from '@svc/sdk'
import type { EncryptedFile } from '../encryption/encrypted-file.ts'
import type { UploadKey } from './use-upload-key.ts'

interface Proof {
  /** `oneShot`: its files cannot be looked at without using them up. */
  readonly upload: LinkedUpload & { readonly oneShot: boolean }
  readonly ready: readonly File[]
  readonly access: EncryptedFile['access']
  readonly key: UploadKey
}

const isWrong = (error: unknown) =>
  error instanceof Error && Reflect.get(error, 'code') === 'wrong_passphrase'

/**
 * The key of an upload, tried on one of its files as far as one can be looked at, so that files that are added open with
 * the same. Asks for it where it is missing or wrong.
 * @returns undefined when somebody would rather not tell it
 * @throws ApiError, EncryptionError
 */
export async function proveKey({ upload, ready, access, key }: Proof): Promise<string | undefined> {
  let given = key.key.value ?? (await key.ask('missing'))
  const [file] = ready.toSorted((a, b) => a.fileSize - b.fileSize)
  if (file === undefined || upload.oneShot || upload.stream) return given
  const { openDecrypted } = await import('../encryption/open-decrypted.ts')
  while (given !== undefined) {
    try {
      await openDecrypted({ upload, file, access }, given)
      return given
    } catch (error) {
      if (!isWrong(error)) throw error
      given = await key.ask('refused')
    }
  }
  return undefined
}
