import { expect, test } from 'vitest'
import { resolveByDns, resolveBySystem } from './resolve.ts'

test('names of the operating system are known to the operator only', async () => {
  expect(await resolveBySystem('localhost')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^(127\.|::1)/)]),
  )
})

test('a name that cannot exist is refused', async () => {
  // Not sent to a name server: the label is too long (RFC 1035 §2.3.4).
  await expect(resolveByDns(`${'x'.repeat(64)}.example`)).rejects.toThrow()
})
