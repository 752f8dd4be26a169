import { expect, test } from 'vitest'
import { tagBytes } from '../base/format.ts'
import { plainCipher } from './plain-cipher.ts'
import type { Task, ThreadResult } from './pool.ts'
import { runTask } from './run-task.ts'

const derived = new Uint8Array(64).subarray(16, 48)
const scrypt = () => Promise.resolve(derived.fill(9))
const run = (task: Task): Promise<ThreadResult> => runTask(task, { cipher: plainCipher, scrypt })

const content = new Uint8Array(100).fill(1)
const batchOf = (bytes: Uint8Array, start: number, last = true) => {
  const buffer = new ArrayBuffer(start + bytes.length)
  new Uint8Array(buffer, start).set(bytes)
  return { buffer, start, first: 0, bytes: bytes.length, last }
}
const keyOf = () => new Uint8Array(32).fill(5)
const empty = new Uint8Array(32)

test('the key of a batch is cleared after it was encrypted, decrypted or refused', async () => {
  const [encrypting, decrypting, refusing] = [keyOf(), keyOf(), keyOf()]
  const encrypted = await run({ kind: 'encrypt', key: encrypting, batch: batchOf(content, tagBytes) })
  expect(encrypting).toEqual(empty)
  if ('error' in encrypted) throw new Error(encrypted.error)
  const file = new Uint8Array(encrypted.buffer).slice()
  expect(await run({ kind: 'decrypt', key: decrypting, batch: batchOf(file, 0) })).toMatchObject({
    decrypted: 1,
  })
  expect(decrypting).toEqual(empty)
  expect(await run({ kind: 'decrypt', key: refusing, batch: batchOf(file, 0, false) })).toMatchObject({
    decrypted: 0,
  })
  expect(refusing).toEqual(empty)
})

test('the key of a batch is cleared after an error', async () => {
  const key = keyOf()
  const batch = { ...batchOf(content, 0), start: 10_000 }
  expect(await run({ kind: 'encrypt', key, batch })).toHaveProperty('error')
  expect(key).toEqual(empty)
})

test('a derived key moves to the caller, and does not stay on the thread', async () => {
  const task = { kind: 'scrypt', passphrase: 'x', salt: new Uint8Array(16), logN: 2 } as const
  const result = await run(task)
  if ('error' in result) throw new Error(result.error)
  expect(new Uint8Array(result.buffer)).toEqual(new Uint8Array(32).fill(9))
  expect(derived).toEqual(empty)
})
