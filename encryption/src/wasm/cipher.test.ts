import { createCipheriv } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { chunkBytes, tagBytes } from '../base/format.ts'
import { wasmCipher } from './cipher.ts'

type Bytes = Uint8Array<ArrayBuffer>

const cipher = wasmCipher()
if (cipher === undefined) throw new Error('Node has WebAssembly with vectors')

/** The same operation by OpenSSL. */
function encryptedByNode(key: Bytes, nonce: Bytes, plain: Bytes): Buffer {
  const native = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes })
  return Buffer.concat([native.update(plain), native.final(), native.getAuthTag()])
}

function encrypt(key: Bytes, nonce: Bytes, plain: Bytes): Bytes {
  const encrypted = new Uint8Array(plain.length + tagBytes)
  cipher?.encrypt(key, nonce, plain, encrypted)
  return encrypted
}

const bytes = (length: number, maxLength = length) =>
  fc.uint8Array({ minLength: length, maxLength }).map((bytes) => Uint8Array.from(bytes))

test('encrypts as OpenSSL does, and decrypts the result', () => {
  fc.assert(
    fc.property(bytes(32), bytes(12), bytes(0, 1100), (key, nonce, plain) => {
      const encrypted = encrypt(key, nonce, plain)
      expect(Buffer.compare(encrypted, encryptedByNode(key, nonce, plain))).toBe(0)
      const decrypted = new Uint8Array(plain.length)
      expect(cipher.decrypt(key, nonce, encrypted, decrypted)).toBe(true)
      expect(Buffer.compare(decrypted, plain)).toBe(0)
    }),
    { numRuns: 300 },
  )
})

test.each([0, 1, 15, 16, 17, 63, 64, 65, 255, 256, 257, chunkBytes - 1, chunkBytes])(
  'encrypts %i bytes after a whole chunk as OpenSSL does',
  (length) => {
    const key = new Uint8Array(32).fill(length)
    encrypt(key, new Uint8Array(12).fill(1), new Uint8Array(chunkBytes).fill(255))
    // Bytes of all ones produce the longest carries.
    const plain = new Uint8Array(length).fill(255)
    const nonce = new Uint8Array(12).fill(2)
    expect(Buffer.compare(encrypt(key, nonce, plain), encryptedByNode(key, nonce, plain))).toBe(0)
  },
)

test('changed input does not decrypt, and nothing is written', () => {
  fc.assert(
    fc.property(bytes(1, 300), fc.nat(), fc.integer({ min: 1, max: 255 }), (plain, place, change) => {
      const key = new Uint8Array(32).fill(3)
      const nonce = new Uint8Array(12)
      const encrypted = encrypt(key, nonce, plain)
      const at = place % encrypted.length
      encrypted[at] = (encrypted[at] ?? 0) ^ change
      const decrypted = new Uint8Array(plain.length)
      expect(cipher.decrypt(key, nonce, encrypted, decrypted)).toBe(false)
      expect(decrypted.every((byte) => byte === 0)).toBe(true)
    }),
  )
})

test('matches the test vector of RFC 8439 §2.8.2, except for its associated data', () => {
  // The ciphertext does not depend on the associated data; the tag does, and is compared with OpenSSL above.
  const key = Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index)
  const nonce = Uint8Array.from([7, 0, 0, 0, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47])
  const text =
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
  const encrypted = encrypt(key, nonce, Uint8Array.from(Buffer.from(text)))
  expect(Buffer.from(encrypted).toString('hex')).toMatch(
    /^d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e0/,
  )
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** A cipher, and the memory of its program. */
function observedCipher() {
  const memories: { readonly buffer: ArrayBuffer }[] = []
  const { Instance } = WebAssembly
  vi.spyOn(WebAssembly, 'Instance').mockImplementation(function (module, imports) {
    const instance = new Instance(module, imports)
    memories.push(instance.exports['memory'] as unknown as { readonly buffer: ArrayBuffer })
    return instance
  })
  const observed = wasmCipher()
  const [memory] = memories
  if (observed === undefined || memory === undefined) throw new Error('the cipher has no memory')
  return { cipher: observed, memory: new Uint8Array(memory.buffer) }
}

test.each([0, 1, 255, 256, 1000, chunkBytes])('nothing of %i bytes stays in the memory', (length) => {
  const { cipher: observed, memory } = observedCipher()
  const [key, nonce, plain] = [new Uint8Array(32).fill(4), new Uint8Array(12), new Uint8Array(length).fill(7)]
  const isEmpty = () => Buffer.from(memory).equals(Buffer.alloc(memory.length))
  const encrypted = new Uint8Array(length + tagBytes)
  observed.encrypt(key, nonce, plain, encrypted)
  expect(isEmpty()).toBe(true)
  expect(observed.decrypt(key, nonce, encrypted, plain)).toBe(true)
  expect(isEmpty()).toBe(true)
  encrypted[length] = (encrypted[length] ?? 0) ^ 1
  expect(observed.decrypt(key, nonce, encrypted, plain)).toBe(false)
  expect(isEmpty()).toBe(true)
})

test('nothing stays in the memory after an error', () => {
  const { cipher: observed, memory } = observedCipher()
  const [key, nonce, plain] = [new Uint8Array(32).fill(4), new Uint8Array(12), new Uint8Array(300).fill(7)]
  const isEmpty = () => Buffer.from(memory).equals(Buffer.alloc(memory.length))
  const tooLarge = new Uint8Array(3 * chunkBytes)
  const tooSmall = new Uint8Array(10)
  for (const [from, to] of [
    [tooLarge, tooLarge],
    [plain, tooSmall],
  ] as const) {
    expect(() => {
      observed.encrypt(key, nonce, from, to)
    }).toThrow(RangeError)
    expect(isEmpty()).toBe(true)
  }
  const encrypted = encrypt(key, nonce, plain)
  expect(() => observed.decrypt(key, nonce, encrypted, tooSmall)).toThrow(RangeError)
  expect(isEmpty()).toBe(true)
})
