import { afterAll, expect, test } from 'vitest'
import { collected, inPieces, someBytes } from '../test/bytes.ts'
import type { ByteRange } from './chunk-ranges.ts'
import { decryptStream } from './decrypt-stream.ts'
import { encryptAnywhere } from './encrypt-anywhere.ts'
import { createEnvelope } from './envelope.ts'
import { chunkBytes, sealedChunkBytes } from './format.ts'
import { createNodeEngine } from './node/engine.ts'
import { encryptedSize, passphraseHeaderBytes } from './sizes.ts'

const lock = { passphrase: 'correct horse battery staple', workFactor: 10 }
const engine = createNodeEngine({ threads: 1 })

afterAll(() => engine.close())

async function sealed(content: Uint8Array, size = content.length) {
  const envelope = await createEnvelope(lock, engine)
  const read = ({ start, end }: ByteRange) => inPieces(content.slice(start, end))
  return encryptAnywhere({ size, read }, { envelope, engine })
}

test.for([0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 2 * chunkBytes, 20 * chunkBytes + 7])(
  'a content of %i bytes decrypts to itself, and its size is known before',
  async (size) => {
    const content = someBytes(size)
    const file = await sealed(content)
    const bytes = await collected(file.read({ start: 0, end: file.size }))
    expect([bytes.length, file.size]).toEqual([file.size, encryptedSize(size, passphraseHeaderBytes)])
    const plain = await collected(
      decryptStream(inPieces(bytes), { keys: { passphrases: [lock.passphrase] }, engine }),
    )
    expect(Buffer.compare(plain, content)).toBe(0)
  },
)

test('every range of the file is the same each time it is read', async () => {
  const file = await sealed(someBytes(20 * chunkBytes + 7))
  const whole = await collected(file.read({ start: 0, end: file.size }))
  const payload = passphraseHeaderBytes + 16
  const borders = [
    0,
    1,
    passphraseHeaderBytes,
    payload - 1,
    payload,
    payload + 1,
    payload + sealedChunkBytes - 1,
  ]
  borders.push(payload + sealedChunkBytes, payload + 17 * sealedChunkBytes + 3, file.size - 1, file.size)
  for (const start of borders) {
    for (const end of borders.filter((border) => border >= start)) {
      const bytes = await collected(file.read({ start, end }))
      expect(Buffer.compare(bytes, whole.subarray(start, end))).toBe(0)
    }
  }
})

test('a content that is not as long as it was said to be is not sent as if it were', async () => {
  const file = await sealed(someBytes(chunkBytes), chunkBytes + 1)
  await expect(collected(file.read({ start: 0, end: file.size }))).rejects.toMatchObject({
    code: 'size_mismatch',
  })
  expect(() => file.read({ start: 0, end: file.size + 1 })).toThrow(RangeError)
})
