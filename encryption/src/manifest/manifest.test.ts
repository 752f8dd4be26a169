import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base64url } from '../base/base64url.ts'
import { utf8 } from '../base/bytes.ts'
import { collected, oneChunk } from '../base/chunks.ts'
import { createPlainEngine } from '../engine/plain-engine.ts'
import { createFileHeader, type EncryptionKey } from '../header/file-header.ts'
import { generateKeyPair } from '../header/identity.ts'
import { generatePassphrase } from '../header/passphrase.ts'
import { passphraseKey } from '../header/file-header.ts'
import { decryptStream } from '../stream/decrypt-stream.ts'
import { encryptStream } from '../stream/encrypt-stream.ts'
import { decryptManifest, encryptManifest } from './manifest.ts'
import { readManifest, writeManifest, type Manifest } from './manifest-text.ts'

const engine = createPlainEngine()
const hash = 'a'.repeat(64)
const manifest: Manifest = {
  upload: 'UPLOAD0123456789',
  files: [
    { id: 'first', name: 'report.pdf', size: 10, sha256: hash },
    { id: 'second', name: 'folder/notes\n.txt', size: 0, sha256: 'b'.repeat(64) },
  ],
}
const { upload } = manifest

async function encrypted(text: Uint8Array, encryptionKey: EncryptionKey): Promise<Uint8Array> {
  const header = await createFileHeader(encryptionKey, engine)
  return collected(encryptStream(oneChunk(text), { header, engine }))
}

const file = fc.record({
  id: fc.uuid(),
  name: fc.string({ unit: 'binary' }).filter((name) => name.isWellFormed()),
  size: fc.maxSafeNat(),
  sha256: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
})
const anyManifest = fc.record({
  upload: fc.string(),
  files: fc.uniqueArray(file, { selector: ({ id }) => id, maxLength: 20 }),
})

describe('the text', () => {
  test('is read as it was written, signed or not', () => {
    const { secretKey, publicKey } = ed25519.keygen()
    fc.assert(
      fc.property(anyManifest, (any) => {
        expect(readManifest(writeManifest(any, undefined), undefined)).toEqual(any)
        expect(readManifest(writeManifest(any, secretKey), base64url(publicKey))).toEqual(any)
      }),
      { numRuns: 30 },
    )
  })

  test('with any byte changed is refused', () => {
    const { secretKey, publicKey } = ed25519.keygen()
    const text = writeManifest(manifest, secretKey)
    fc.assert(
      fc.property(fc.nat({ max: text.length - 2 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Uint8Array.from(text, (byte, index) => (index === at ? byte ^ change : byte))
        expect(() => readManifest(changed, base64url(publicKey))).toThrow(
          expect.objectContaining({ code: 'bad_manifest' }),
        )
      }),
      { numRuns: 60 },
    )
  })

  test.for([
    ['another format', 'svc-manifest-v2\n{"upload":"u","files":[]}\n'],
    ['no JSON', 'svc-manifest-v1\n{\n'],
    ['no files', 'svc-manifest-v1\n{"upload":"u"}\n'],
    ['no upload', 'svc-manifest-v1\n{"files":[]}\n'],
    ['null', 'svc-manifest-v1\nnull\n'],
    ['a file that is null', 'svc-manifest-v1\n{"upload":"u","files":[null]}\n'],
    ['something after it', 'svc-manifest-v1\n{"upload":"u","files":[]}\nSIGNATURE\nmore'],
    ['lines after it', 'svc-manifest-v1\n{"upload":"u","files":[]}\nSIGNATURE\n\n\n'],
    ['nothing', ''],
  ])('with %s is refused', ([, text = '']) => {
    expect(() => readManifest(utf8(text), undefined)).toThrow(
      expect.objectContaining({ code: 'bad_manifest' }),
    )
  })

  test.for([
    { id: 1 },
    { name: undefined },
    { size: -1 },
    { size: 1.5 },
    { size: '1' },
    { size: 2 ** 60 },
    { sha256: 'A'.repeat(64) },
    { sha256: 'a'.repeat(63) },
    { sha256: undefined },
  ])('with the field %o is refused', (field) => {
    const files = [{ id: 'first', name: 'a', size: 1, sha256: hash, ...field }]
    const text = utf8(`svc-manifest-v1\n${JSON.stringify({ upload, files })}\n`)
    expect(() => readManifest(text, undefined)).toThrow(expect.objectContaining({ code: 'bad_manifest' }))
  })

  test('with a file twice, and one that is not UTF-8, are refused', () => {
    const [first] = manifest.files
    const twice = { upload, files: first === undefined ? [] : [first, { ...first, name: 'other' }] }
    expect(() => readManifest(writeManifest(twice, undefined), undefined)).toThrow(/twice/)
    expect(() => readManifest(Uint8Array.of(0xff), undefined)).toThrow(/not text/)
  })
})

describe('with a passphrase', () => {
  const passphrase = generatePassphrase()
  const encryptionKey = passphraseKey(passphrase)
  const keys = { passphrases: [passphrase] }

  test('is proven, with and without its mark', async () => {
    const { bytes, mark } = await encryptManifest(manifest, encryptionKey, engine)
    expect(mark).toBe('1')
    for (const marked of [mark, undefined])
      expect(await decryptManifest(bytes, { keys, engine, mark: marked, upload })).toEqual({
        manifest,
        isProven: true,
      })
  })

  test('is an age file with a text', async () => {
    const { bytes } = await encryptManifest(manifest, encryptionKey, engine)
    const text = await collected(decryptStream(oneChunk(bytes), { keys, engine }))
    expect(new TextDecoder().decode(text)).toBe(
      `svc-manifest-v1\n{"upload":"UPLOAD0123456789","files":[` +
        `{"id":"first","name":"report.pdf","size":10,"sha256":"${hash}"},` +
        `{"id":"second","name":"folder/notes\\n.txt","size":0,"sha256":"${'b'.repeat(64)}"}]}\n`,
    )
  })

  test('of another upload is refused, unless only the server knows which one it is', async () => {
    const { bytes, mark } = await encryptManifest(manifest, encryptionKey, engine)
    await expect(decryptManifest(bytes, { keys, engine, mark, upload: 'other' })).rejects.toHaveProperty(
      'code',
      'bad_manifest',
    )
    expect(await decryptManifest(bytes, { keys, engine, mark, upload: undefined })).toBeTruthy()
  })

  test('with another passphrase does not open', async () => {
    const { bytes, mark } = await encryptManifest(manifest, encryptionKey, engine)
    await expect(
      decryptManifest(bytes, { keys: { passphrases: [generatePassphrase()] }, engine, mark, upload }),
    ).rejects.toHaveProperty('code', 'wrong_passphrase')
  })

  test('is refused when it is encrypted for a key of the user, which anyone can do', async () => {
    const { identity, recipient } = await generateKeyPair()
    const forged = await encrypted(writeManifest(manifest, undefined), { recipients: [recipient] })
    const both = { ...keys, identities: [identity] }
    await expect(decryptManifest(forged, { keys: both, engine, mark: '1', upload })).rejects.toHaveProperty(
      'code',
      'bad_manifest',
    )
    const unmarked = await decryptManifest(forged, { keys: both, engine, mark: undefined, upload })
    expect(unmarked.isProven).toBe(false)
  })

  test('with any byte changed is refused', async () => {
    const { bytes, mark } = await encryptManifest(manifest, encryptionKey, engine)
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: bytes.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const changed = Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ change : byte))
          await expect(decryptManifest(changed, { keys, engine, mark, upload })).rejects.toHaveProperty(
            'name',
            'EncryptionError',
          )
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('for recipients', () => {
  test('is proven by the key in the link only', async () => {
    const { identity, recipient } = await generateKeyPair()
    const keys = { identities: [identity] }
    const encryptionKey = { recipients: [recipient] }
    const { bytes, mark } = await encryptManifest(manifest, encryptionKey, engine)
    expect(mark).toMatch(/^[\w-]{43}$/)
    const options = { keys, engine, upload }
    expect(await decryptManifest(bytes, { ...options, mark })).toEqual({ manifest, isProven: true })
    expect((await decryptManifest(bytes, { ...options, mark: undefined })).isProven).toBe(false)
    const again = await encryptManifest(manifest, encryptionKey, engine)
    expect(again.mark).not.toBe(mark)
    for (const wrong of [again.mark, '1', '', 'x', `${mark}A`])
      await expect(decryptManifest(bytes, { ...options, mark: wrong })).rejects.toHaveProperty(
        'code',
        'bad_manifest',
      )
  })

  test('without a signature is refused', async () => {
    const { identity, recipient } = await generateKeyPair()
    const encryptionKey = { recipients: [recipient] }
    const { mark } = await encryptManifest(manifest, encryptionKey, engine)
    const forged = await encrypted(writeManifest(manifest, undefined), encryptionKey)
    await expect(
      decryptManifest(forged, { keys: { identities: [identity] }, engine, mark, upload }),
    ).rejects.toHaveProperty('code', 'bad_manifest')
  })
})
