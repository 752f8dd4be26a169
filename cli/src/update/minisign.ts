import { createPublicKey, verify, type KeyObject } from 'node:crypto'

/** The public key of minisign (https://jedisct1.github.io/minisign): an Ed25519 key with a number. */
export interface SigningKey {
  readonly id: Buffer
  readonly key: KeyObject
}

const algorithmBytes = 2
const idBytes = 8
const keyBytes = 32
const signatureBytes = 64

/** The text before an Ed25519 key in DER (RFC 8410). */
const keyPrefix = Buffer.from('302a300506032b6570032100', 'hex')

const ed25519 = (key: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([keyPrefix, key]), format: 'der', type: 'spki' })

/**
 * @param line line of the file that contains the key
 * @returns undefined for a line that is not a key
 */
export function parseSigningKey(line: string): SigningKey | undefined {
  const bytes = Buffer.from(line, 'base64')
  if (bytes.length !== algorithmBytes + idBytes + keyBytes) return undefined
  if (bytes.toString('latin1', 0, algorithmBytes) !== 'Ed') return undefined
  const keyAt = algorithmBytes + idBytes
  return { id: bytes.subarray(algorithmBytes, keyAt), key: ed25519(bytes.subarray(keyAt)) }
}

/**
 * Verifies the signature of a file.
 * @param signature the text of `FILE.minisig`
 * @param digest BLAKE2b of the file, 64 bytes
 * @returns the trusted comment; undefined when the signature is not that of the key and the file
 */
export function verifiedComment(
  { id, key }: SigningKey,
  signature: string,
  digest: Buffer,
): string | undefined {
  const [, line = '', comment = '', ofBoth = ''] = signature.split(/\r?\n/)
  const bytes = Buffer.from(line, 'base64')
  const trusted = /^trusted comment: (.*)$/.exec(comment)?.[1]
  if (bytes.length !== algorithmBytes + idBytes + signatureBytes || trusted === undefined) return undefined
  // `Ed`, the signature of whole files, is that of versions before 0.10.
  if (bytes.toString('latin1', 0, algorithmBytes) !== 'ED') return undefined
  const signed = bytes.subarray(algorithmBytes + idBytes)
  const isOwn =
    bytes.subarray(algorithmBytes, algorithmBytes + idBytes).equals(id) &&
    verify(null, digest, key, signed) &&
    verify(null, Buffer.concat([signed, Buffer.from(trusted)]), key, Buffer.from(ofBoth, 'base64'))
  return isOwn ? trusted : undefined
}
