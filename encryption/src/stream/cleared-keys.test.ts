import { expect, test } from 'vitest'
import { collected, inChunks, outcomeOf, someBytes } from '../../test/bytes.ts'
import { chunkBytes } from '../base/format.ts'
import type { Engine } from '../engine/engine.ts'
import { createPlainEngine } from '../engine/plain-engine.ts'
import { createFileHeader } from '../header/file-header.ts'
import { decryptStream } from './decrypt-stream.ts'
import { encryptStream } from './encrypt-stream.ts'

const encryptionKey = { passphrase: 'correct horse battery staple', workFactor: 2 }
const keys = { passphrases: ['wrong', encryptionKey.passphrase] }

/** An engine, and the keys that it was given or has derived. */
function observedEngine() {
  const seen = new Set<Uint8Array>()
  const see = <T extends Uint8Array>(key: T): T => {
    seen.add(key)
    return key
  }
  const plain = createPlainEngine()
  const engine: Engine = {
    ...plain,
    encrypt: (key, batch) => plain.encrypt(see(key), batch),
    decrypt: (key, batch) => plain.decrypt(see(key), batch),
    scrypt: async (work) => see(await plain.scrypt(work)),
  }
  return { engine, seen, areCleared: () => [...seen].every((key) => key.every((byte) => byte === 0)) }
}

const encrypt = async (engine: Engine, content: Uint8Array) =>
  encryptStream(inChunks(content), { header: await createFileHeader(encryptionKey, engine), engine })

test('the keys of a stream and of its passphrase are cleared at its end', async () => {
  const encrypting = observedEngine()
  const file = await collected(await encrypt(encrypting.engine, someBytes(3 * chunkBytes)))
  expect(encrypting.seen.size).toBe(2)
  expect(encrypting.areCleared()).toBe(true)

  const decrypting = observedEngine()
  await collected(decryptStream(inChunks(file), { keys, engine: decrypting.engine }))
  expect(decrypting.seen.size).toBe(3)
  expect(decrypting.areCleared()).toBe(true)
})

test('the keys of a stream are cleared when its reader stops, and after an error', async () => {
  const { engine, seen, areCleared } = observedEngine()
  const stopped = await encrypt(engine, someBytes(3 * chunkBytes))
  await stopped.next()
  await stopped.next()
  await stopped.return()
  expect(areCleared()).toBe(true)

  const damaged = await collected(await encrypt(engine, someBytes(3 * chunkBytes)))
  damaged[chunkBytes] = (damaged[chunkBytes] ?? 0) ^ 1
  const { error } = await outcomeOf(decryptStream(inChunks(damaged), { keys, engine }))
  expect(error).toMatchObject({ code: 'damaged_chunk' })
  expect(seen.size).toBe(7)
  expect(areCleared()).toBe(true)
})
