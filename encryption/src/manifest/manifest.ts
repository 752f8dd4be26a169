import { ed25519 } from '@noble/curves/ed25519.js'
import { base64url } from '../base/base64url.ts'
import { collected, oneChunk } from '../base/chunks.ts'
import { EncryptionError } from '../base/error.ts'
import type { Engine } from '../engine/engine.ts'
import { createFileHeader, type EncryptionKey } from '../header/file-header.ts'
import type { Keys } from '../header/open-header.ts'
import { decryptStream } from '../stream/decrypt-stream.ts'
import { encryptStream } from '../stream/encrypt-stream.ts'
import { passphraseMark } from './mark.ts'
import { readManifest, writeManifest, type Manifest } from './manifest-text.ts'

/** Maximum bytes of an encrypted manifest that is read: those of a hundred thousand files. */
export const maxManifestBytes = 64 * 1024 * 1024

/** An encrypted manifest, with the mark that the link needs. */
export interface EncryptedManifest {
  readonly bytes: Uint8Array
  readonly mark: string
}

/**
 * Encrypts the manifest of an upload. For recipients it is signed, with a key that is made for it: anyone can encrypt for them.
 * @throws EncryptionError `bad_recipient`, `mixed_recipients`, `insecure_context`
 */
export async function encryptManifest(
  manifest: Manifest,
  encryptionKey: EncryptionKey,
  engine: Engine,
): Promise<EncryptedManifest> {
  const signing = 'passphrase' in encryptionKey ? undefined : ed25519.keygen()
  const header = await createFileHeader(encryptionKey, engine)
  const text = writeManifest(manifest, signing?.secretKey)
  return {
    bytes: await collected(encryptStream(oneChunk(text), { header, engine })),
    mark: signing === undefined ? passphraseMark : base64url(signing.publicKey),
  }
}

export interface DecryptedManifest {
  readonly manifest: Manifest
  /** Whether it is certain that the sender wrote it. Not for recipients without a mark. */
  readonly isProven: boolean
}

interface ManifestOptions {
  readonly keys: Keys
  readonly engine: Engine
  /** The mark in the link; undefined for a link without one. */
  readonly mark: string | undefined
  /** Id of the upload; undefined where only the server knows it. */
  readonly upload: string | undefined
}

/**
 * Decrypts the manifest of an upload, and verifies who wrote it.
 * @throws EncryptionError, with `bad_manifest` if the sender did not write it, or not for this upload
 */
export async function decryptManifest(
  bytes: Uint8Array,
  { keys, engine, mark, upload }: ManifestOptions,
): Promise<DecryptedManifest> {
  const { text, isPassphrase } = await opened(bytes, { keys, engine, mark })
  const isSigned = mark !== undefined && mark !== passphraseMark
  const manifest = readManifest(text, isSigned ? mark : undefined)
  if (upload !== undefined && manifest.upload !== upload)
    throw new EncryptionError('bad_manifest', 'the manifest is of another upload')
  return { manifest, isProven: isSigned || isPassphrase }
}

interface Opened {
  readonly text: Uint8Array
  /** Whether a passphrase has opened it, which proves that its writer knows the passphrase. */
  readonly isPassphrase: boolean
}

async function opened(
  bytes: Uint8Array,
  { keys, engine, mark }: Omit<ManifestOptions, 'upload'>,
): Promise<Opened> {
  const open = (tried: Keys) => collected(decryptStream(oneChunk(bytes), { keys: tried, engine }))
  const { passphrases = [] } = keys
  if (mark === undefined || mark === passphraseMark)
    try {
      return { text: await open({ passphrases }), isPassphrase: true }
    } catch (error) {
      // Anyone can encrypt for a recipient.
      const isForRecipients = error instanceof EncryptionError && error.code === 'identity_needed'
      if (!isForRecipients) throw error
      if (mark === passphraseMark)
        throw new EncryptionError('bad_manifest', 'the manifest does not open with the passphrase', error)
    }
  return { text: await open(keys), isPassphrase: false }
}
