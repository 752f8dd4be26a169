import { expect, test } from 'vitest'
import { hasherPool } from './hasher-pool.ts'

test('the end of a body whose thread has stopped is an error, not a wait without end', async () => {
  const pool = hasherPool({ threads: 1 })
  const failed = Promise.withResolvers<Error>()
  const body = pool.open(failed.resolve)
  await pool.close()
  expect(await failed.promise).toHaveProperty('message', 'a hashing thread has stopped')
  await expect(body.digest()).rejects.toThrow('a hashing thread has stopped')
})
