import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { recordRequests } from '../../../test/recorded-requests.ts'
import { createServers } from '../../../test/served.ts'
import { createClient } from '../client.ts'

const { served, close } = createServers()
afterEach(close)

async function recordingClient() {
  const { baseURL, requests } = await recordRequests(served, { size: 0 })
  return { client: createClient({ baseURL }), requests }
}

test('the id of any user arrives unchanged', async () => {
  const { client, requests } = await recordingClient()
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), async (name) => {
      fc.pre(name.isWellFormed())
      await client.user(`local:${name}`)
      const [empty, folder, last, ...more] = requests.at(-1)?.url?.split('/') ?? []
      expect({ empty, folder, id: decodeURIComponent(last ?? ''), more }).toEqual({
        empty: '',
        folder: 'user',
        id: `local:${name}`,
        more: [],
      })
    }),
    { numRuns: 60 },
  )
})

test.for(['', '.', '..'])(
  'the id “%s”, which would lead to another endpoint, is rejected before a request',
  async (nothing) => {
    const { client, requests } = await recordingClient()
    const rejected = [
      client.revokeMyToken(nothing),
      client.revokeMySession(nothing),
      client.user(nothing),
      client.removeUser(nothing),
      client.updateUser(nothing, {}),
      client.upload(nothing),
      client.removeUpload(nothing),
    ]
    const outcomes = await Promise.allSettled(rejected)
    expect(outcomes.map(({ status }) => status)).toEqual(rejected.map(() => 'rejected'))
    expect(requests).toEqual([])
  },
)
