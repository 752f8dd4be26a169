import { encryptManifest, type Manifest, type EncryptedManifest } from '@svc/encryption'
import { generatedLock, type ChosenLock } from '../encryption/lock.ts'
import { createCliEngine } from '../encryption/engine.ts'
import type { Program } from '../program/program.ts'
import type { SavedEncryption } from '../unfinished/unfinished-upload.ts'
import { createFileEncryptor, type FileEncryptor } from './sending/file-encryptor.ts'

/** The encryption of an upload. */
export interface Encryption {
  readonly lock: ChosenLock
  readonly encryptor: FileEncryptor
  readonly encryptManifest: (manifest: Manifest) => Promise<EncryptedManifest>
  readonly close: () => Promise<void>
}

/**
 * Starts the encryption with a lock.
 * @param saved the encryption of the unfinished upload that continues
 */
export async function startEncryption(
  program: Program,
  lock: ChosenLock,
  saved: SavedEncryption | undefined,
): Promise<Encryption> {
  const chosen = saved?.kind === 'generated' ? generatedLock(saved.passphrase) : lock
  const engine = createCliEngine(program)
  try {
    return {
      lock: chosen,
      encryptor: await createFileEncryptor(chosen.lock, engine),
      encryptManifest: (manifest) => encryptManifest(manifest, chosen.lock, engine),
      close: engine.close,
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}
