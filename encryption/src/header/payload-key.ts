import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8 } from '../base/bytes.ts'

/** The key of a content (age v1, "Payload"), derived from the file key and a nonce that is new for every encryption. */
export const payloadKey = (fileKey: Uint8Array, nonce: Uint8Array): Uint8Array<ArrayBuffer> =>
  hkdf(sha256, fileKey, nonce, utf8('payload'), 32)
