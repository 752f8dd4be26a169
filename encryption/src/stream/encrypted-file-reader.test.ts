import { afterAll, expect, test } from 'vitest'
import { collected, inChunks, someBytes } from '../../test/bytes.ts'
import { encryptStream } from './encrypt-stream.ts'
import { createFileHeader } from '../header/file-header.ts'
import { readEncrypted } from './encrypted-file-reader.ts'
import { createNodeEngine } from '../node/engine.ts'

const encryptionKey = { passphrase: 'correct horse battery staple', workFactor: 2 }
const engine = createNodeEngine({ threads: 1 })
const content = someBytes(200_000)

afterAll(() => engine.close())

async function encrypted(): Promise<Uint8Array> {
  const header = await createFileHeader(encryptionKey, engine)
  return collected(encryptStream(inChunks(content), { header, engine }))
}

test('a source that can be read once accepts a second passphrase after a wrong one', async () => {
  const file = await encrypted()
  const reader = await readEncrypted(inChunks(file), { engine })
  expect(reader.plainSize(file.length)).toBe(content.length)
  await expect(reader.decrypt({ passphrases: ['wrong'] })).rejects.toMatchObject({ code: 'wrong_passphrase' })
  const plain = await collected(await reader.decrypt({ passphrases: [encryptionKey.passphrase] }))
  expect(Buffer.compare(plain, content)).toBe(0)
})

test('a file that is not encrypted is rejected, and its source is closed', async () => {
  let ended = false
  async function* source() {
    try {
      for (;;) yield await Promise.resolve(someBytes(10))
    } finally {
      ended = true
    }
  }
  await expect(readEncrypted(source(), { engine })).rejects.toMatchObject({ code: 'not_encrypted' })
  expect(ended).toBe(true)
})
