import { ed25519 } from '@noble/curves/ed25519.js'
import { base64url, fromBase64url } from '../base/base64url.ts'
import { utf8 } from '../base/bytes.ts'
import { EncryptionError } from '../base/error.ts'

/** A file as its sender sent it. */
export interface ManifestFile {
  /** Id on the server. */
  readonly id: string
  readonly name: string
  /** Bytes of the content. */
  readonly size: number
  /** Of the content, in hexadecimal digits. */
  readonly sha256: string
}

/** The files of an upload (docs/design/manifest.md). */
export interface Manifest {
  /** Id of the upload. */
  readonly upload: string
  readonly files: readonly ManifestFile[]
}

const format = 'svc-manifest-v1'

/** @param signingKey secret key of Ed25519; undefined where the encryption proves the writer */
export function writeManifest({ upload, files }: Manifest, signingKey: Uint8Array | undefined): Uint8Array {
  const listed = files.map(({ id, name, size, sha256 }) => ({ id, name, size, sha256 }))
  const record = `${format}\n${JSON.stringify({ upload, files: listed })}\n`
  if (signingKey === undefined) return utf8(record)
  return utf8(`${record}${base64url(ed25519.sign(utf8(record), signingKey))}\n`)
}

const malformed = (why: string, cause?: unknown) =>
  new EncryptionError('bad_manifest', `the manifest ${why}`, cause)

/**
 * @param publicKey public key of the signature, in base64url; undefined if none is needed
 * @throws EncryptionError `bad_manifest`
 */
export function readManifest(bytes: Uint8Array, publicKey: string | undefined): Manifest {
  const [version, json = '', signature = '', ...rest] = decoded(bytes).split('\n')
  if (version !== format) throw malformed('has an unknown format')
  if (rest.length > 1 || rest.some((line) => line !== '')) throw malformed('has a wrong end')
  if (publicKey !== undefined) requireSignature(`${format}\n${json}\n`, signature, publicKey)
  return manifestIn(json)
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw malformed('is not text', error)
  }
}

function requireSignature(record: string, signature: string, publicKey: string): void {
  const [signed, key] = [fromBase64url(signature), fromBase64url(publicKey)]
  const isSigned =
    signed?.length === 64 &&
    key?.length === 32 &&
    ed25519.verify(signed, utf8(record), key, { zip215: false })
  if (!isSigned) throw malformed('is not signed by the sender of the link')
}

function manifestIn(json: string): Manifest {
  const value = parsed(json)
  if (!isRecord(value)) throw malformed('has no files')
  const { upload, files } = value
  if (typeof upload !== 'string' || !Array.isArray(files)) throw malformed('has no files')
  const listed = files.map(fileIn)
  if (new Set(listed.map(({ id }) => id)).size < listed.length) throw malformed('has a file twice')
  return { upload, files: listed }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw malformed('is not JSON', error)
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fileIn(value: unknown): ManifestFile {
  const { id, name, size, sha256 } = isRecord(value) ? value : {}
  const isFile =
    typeof id === 'string' &&
    typeof name === 'string' &&
    typeof size === 'number' &&
    Number.isSafeInteger(size) &&
    size >= 0 &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256)
  if (!isFile) throw malformed('has a file that is incomplete')
  return { id, name, size, sha256 }
}
