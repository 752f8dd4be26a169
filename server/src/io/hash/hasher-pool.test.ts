import { expect, test } from 'vitest'
import { stopIdleThreads } from '../../platform/start-thread.ts'
import { hasherPool } from './hasher-pool.ts'

test('the digest of a body whose thread has stopped rejects', async () => {
  const pool = hasherPool({ threads: 1 })
  const failed = Promise.withResolvers<Error>()
  const body = pool.open(failed.resolve)
  await pool.close()
  expect(await failed.promise).toHaveProperty('message', 'a hash thread has stopped')
  await expect(body.digest()).rejects.toThrow('a hash thread has stopped')
})

test('a pool counts its open bodies, and closes although not all threads have started', async () => {
  const pool = hasherPool({ threads: 2 })
  expect(pool.bodies()).toBe(0)
  const first = pool.open(() => undefined)
  expect(pool.bodies()).toBe(1)
  first.drop()
  const [one, other] = [pool.open(() => undefined), pool.open(() => undefined)]
  expect(pool.bodies()).toBe(2)
  await one.digest()
  expect(pool.bodies()).toBe(1)
  other.drop()
  expect(pool.bodies()).toBe(0)
  await pool.close()
  const unused = hasherPool({ threads: 2 })
  await unused.close()
  expect(unused.bodies()).toBe(0)
})

test('an idle pool gives up its threads and memory, and works again afterwards', async () => {
  const pool = hasherPool({ threads: 2, blocks: 3, blockSize: 65_536 })
  const digest = async () => {
    const block = pool.blocks.acquire() ?? new Uint8Array()
    block.fill(7)
    const read = Promise.withResolvers<undefined>()
    const body = pool.open(read.reject)
    body.update(block, () => {
      read.resolve(undefined)
    })
    await read.promise
    expect(pool.trim()).toBe(0)
    pool.blocks.release(block)
    // The body is open, so its thread is not idle.
    stopIdleThreads()
    expect(pool.trim()).toBe(0)
    return body.digest()
  }
  const expected = await digest()
  stopIdleThreads()
  expect(pool.trim()).toBe(65_536)
  expect(pool.trim()).toBe(0)
  expect(await digest()).toEqual(expected)
  await pool.close()
})
