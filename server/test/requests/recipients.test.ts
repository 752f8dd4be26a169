import { afterAll, beforeAll, expect, test } from 'vitest'
import { recipient } from '../support/recipient.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { codeOf, newRequest, sendOne } from './caller.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a request for encrypted files refuses others', async () => {
  const { id } = await newRequest(server, { recipient, extensions: ['pdf'] })
  expect(await server.client.openUploadRequest(id)).toMatchObject({ recipient })
  expect(await codeOf(sendOne(server.client, id, 'plain', { fileName: 'x' }))).toBe('not_encrypted')
})

test.each([
  ['a recipient of another kind', 'ssh-ed25519 AAAA'],
  ['a recipient without a key', 'age1x'],
  ['a recipient with a wrong letter', recipient.replace('l3z', 'l3y')],
  ['a recipient in capital letters', recipient.toUpperCase()],
])('%s is refused', async (_name, invalidRecipient) => {
  expect(await codeOf(newRequest(server, { recipient: invalidRecipient }))).toBe('invalid_request')
})
