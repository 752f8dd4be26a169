import { createFileHeader, decryptStream, encryptStream, generatePassphrase, borrow } from '@svc/encryption'
import { createBrowserEngine } from '@svc/encryption/browser'

interface Trial {
  /** Bytes of the content. */
  readonly size: number
  readonly passphrase?: string
}

export interface TrialResult {
  readonly encryptedBytes: number
  readonly declaredBytes: number
  /** SHA-256 of the content, before and after, in hexadecimal. */
  readonly before: string
  readonly after: string
}

const chunkBytes = 1024 * 1024

function contentOf(size: number): Blob {
  const chunk = new Uint8Array(chunkBytes)
  for (let start = 0; start < chunkBytes; start += 65_536)
    crypto.getRandomValues(chunk.subarray(start, start + 65_536))
  const whole = Array.from({ length: Math.floor(size / chunkBytes) }, () => chunk)
  return new Blob([...whole, chunk.slice(0, size % chunkBytes)])
}

async function sha256(blob: Blob): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A large amount in parts, without keeping it in the memory of the page for long. */
async function blobOf(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const parts: Blob[] = []
  for await (const chunk of chunks) parts.push(new Blob([chunk]))
  return new Blob(parts)
}

/** Encrypts and decrypts some bytes in this page. */
export async function runTrial({ size, passphrase = generatePassphrase() }: Trial): Promise<TrialResult> {
  const engine = createBrowserEngine()
  const content = contentOf(size)
  const header = await createFileHeader({ passphrase, workFactor: 12 }, engine)
  const encrypted = await blobOf(borrow(encryptStream(content.stream(), { header, engine }), engine))
  const keys = { passphrases: [passphrase] }
  const decrypted = await blobOf(borrow(decryptStream(encrypted.stream(), { keys, engine }), engine))
  await engine.close()
  return {
    encryptedBytes: encrypted.size,
    declaredBytes: header.encryptedSize(size),
    before: await sha256(content),
    after: await sha256(decrypted),
  }
}

/**
 * Opens a file that came from elsewhere, in base64.
 * @returns the SHA-256 of its content, or the code of the error
 */
export async function open(file: string, passphrase: string): Promise<string> {
  const engine = createBrowserEngine()
  const bytes = Uint8Array.from(atob(file), (character) => character.charCodeAt(0))
  try {
    const keys = { passphrases: [passphrase] }
    return await sha256(await blobOf(decryptStream(new Blob([bytes]).stream(), { keys, engine })))
  } catch (error) {
    return String(Reflect.get(Object(error) as object, 'code'))
  } finally {
    await engine.close()
  }
}

async function lengthOf(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const { length } of chunks) bytes += length
  return bytes
}

/** More would exceed the memory that a browser gives to blobs. */
const portionBytes = 128 * 1024 * 1024

/**
 * Encrypts and decrypts this number of bytes in portions, without comparing them.
 * @returns seconds for each
 */
export async function measure(size: number): Promise<{ encrypting: number; decrypting: number }> {
  const engine = createBrowserEngine()
  const passphrase = generatePassphrase()
  const header = await createFileHeader({ passphrase, workFactor: 12 }, engine)
  const keys = { passphrases: [passphrase] }
  const content = contentOf(Math.min(size, portionBytes))
  let encrypting = 0
  let decrypting = 0
  for (let left = size; left > 0; left -= portionBytes) {
    const portion = content.slice(0, left)
    const encrypt = () => borrow(encryptStream(portion.stream(), { header, engine }), engine)
    const encrypted = await blobOf(encrypt())
    const started = performance.now()
    const encryptedBytes = await lengthOf(encrypt())
    const encryptedAt = performance.now()
    const decryptedBytes = await lengthOf(borrow(decryptStream(encrypted.stream(), { keys, engine }), engine))
    decrypting += (performance.now() - encryptedAt) / 1000
    encrypting += (encryptedAt - started) / 1000
    if (encryptedBytes !== encrypted.size || decryptedBytes !== portion.size)
      throw new Error(`${String(encryptedBytes)} and ${String(decryptedBytes)} bytes came out`)
  }
  await engine.close()
  return { encrypting, decrypting }
}

Object.assign(globalThis, { encryption: { runTrial, open, measure } })
