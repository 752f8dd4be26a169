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
