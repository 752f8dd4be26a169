import { encryptManifest, type Manifest, type EncryptedManifest } from '@svc/encryption'
import { generatedKey, type ChosenKey } from '../encryption/choose-key.ts'
import { createCliEngine } from '../encryption/engine.ts'
import type { Program } from '../program/program.ts'
import type { SavedEncryption } from '../state/unfinished/unfinished-upload.ts'
import { createFileEncryptor, type FileEncryptor } from './sending/file-encryptor.ts'

/** The encryption of an upload. */
export interface Encryption {
  readonly chosenKey: ChosenKey
  readonly encryptor: FileEncryptor
  readonly encryptManifest: (manifest: Manifest) => Promise<EncryptedManifest>
  readonly close: () => Promise<void>
}

/**
 * Starts the encryption with the key of an upload.
 * @param saved the encryption of the unfinished upload that continues
 */
export async function startEncryption(
  program: Program,
  chosenKey: ChosenKey,
  saved: SavedEncryption | undefined,
): Promise<Encryption> {
  const chosen = saved?.kind === 'generated' ? generatedKey(saved.passphrase) : chosenKey
  const engine = createCliEngine(program)
  try {
    return {
      chosenKey: chosen,
      encryptor: await createFileEncryptor(chosen.key, engine),
      encryptManifest: (manifest) => encryptManifest(manifest, chosen.key, engine),
      close: engine.close,
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}
