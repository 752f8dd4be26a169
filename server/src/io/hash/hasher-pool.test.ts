import { expect, test } from 'vitest'
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
