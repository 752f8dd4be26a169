import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { createServers } from '../../test/served.ts'
import { createClient } from '../api/client.ts'
import type { Source } from './source.ts'

const { served, close } = createServers()
afterEach(close)

const encrypted = 'age-encryption.org/v1\n-> scrypt and so on'

/** A server that records what it receives. */
async function keeping() {
  const bodies: string[] = []
  const baseURL = await served((request, response) => {
    void buffer(request).then((body) => {
      bodies.push(body.toString('latin1'))
      response.end('{"id":"f1"}')
    })
  })
  return { client: createClient({ baseURL }), bodies }
}

/** A text as a stream of single characters. */
async function* characters(text: string): AsyncGenerator<Uint8Array> {
  for (const character of text) yield await Promise.resolve(Buffer.from(character))
}
const kinds: readonly (readonly [string, (text: string) => Source])[] = [
  ['a blob', (text) => new Blob([text])],
  ['a stream', (text) => ({ chunks: characters(text) })],
]

test.for(kinds)('%s that is not encrypted is not sent to an encrypted upload', async ([, source]) => {
  const { client, bodies } = await keeping()
  for (const text of ['canary', '', encrypted.slice(0, 21), ` ${encrypted}`]) {
    const refused = { name: 'ApiError', status: 0, code: 'not_encrypted' }
    const form = { fileName: 'a', e2ee: 'age' }
    await expect(client.addFile('u1', source(text), form)).rejects.toMatchObject(refused)
    const quick = client.quickUpload(source(text), { fileName: 'a' }, { e2ee: 'age' })
    await expect(quick).rejects.toMatchObject(refused)
  }
  expect(bodies).toEqual([])
})

test.for(kinds)('%s that is encrypted arrives complete', async ([, source]) => {
  const { client, bodies } = await keeping()
  await client.addFile('u1', source(encrypted), { fileName: 'a', e2ee: 'age' })
  expect(bodies).toHaveLength(1)
  expect(bodies[0]).toContain(`\r\n\r\n${encrypted}\r\n`)
})

test.for(['', undefined, 'other'])('an upload with e2ee %s accepts any content', async (e2ee) => {
  const { client, bodies } = await keeping()
  await client.addFile('u1', new Blob(['plain']), { fileName: 'a', e2ee })
  expect(bodies).toHaveLength(1)
})

test.for(kinds)('%s with armor is encrypted, too', async ([, source]) => {
  const { client, bodies } = await keeping()
  const armored = '-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n'
  await client.addFile('u1', source(armored), { fileName: 'a', e2ee: 'age' })
  expect(bodies[0]).toContain(armored)
})
