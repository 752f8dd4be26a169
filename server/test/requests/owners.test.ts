import { filePath, headers as names, limits } from '@svc/contract'
import { afterEach, expect, test } from 'vitest'
import { inDatabase } from '../commands/export/filled-database.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { requestRecord } from '../support/databases/records.ts'
import { recipient } from '../support/recipient.ts'
import { startServerWithAccounts } from '../support/servers/server-with-accounts.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { codeOf, newOwner, newRequest, sendOne } from './caller.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

test('a user can have a thousand requests', async () => {
  const own = await startServerWithAccounts()
  server = own
  const { client, member } = await newOwner(own)
  await inDatabase(own.directory, (store) =>
    store.transaction(async ({ requests }) => {
      for (let count = 1; count < limits.requestsPerUser; count++)
        await requests.insert(requestRecord({ userId: member.id }))
    }),
  )
  const { id } = await client.createUploadRequest({ title: 'the last' })
  expect(await codeOf(client.createUploadRequest({ title: 'one more' }))).toBe('too_many_upload_requests')
  await client.removeUploadRequest(id)
  await client.createUploadRequest({ title: 'instead' })
})

test('requests of guests, and uploads to requests, use the budgets of their networks', async () => {
  const own = await startTestServer()
  const { budgets } = own.config
  await own.close()
  server = await startTestServer({ config: { budgets: { ...budgets, uploads: 3 } } })
  const { id } = await newRequest(server)
  await server.client.sendToUploadRequest(id)
  await newRequest(server)
  expect(await codeOf(newRequest(server))).toBe('budget_reached')
  expect(await codeOf(server.client.sendToUploadRequest(id))).toBe('budget_reached')
})

test('received files are served where the session of their owner is known, not on the download domain', async () => {
  const domains = { svcDomain: 'http://127.0.0.1:1', downloadDomain: 'http://localhost:1' }
  server = await startTestServer({ config: domains })
  const { id, access } = await newRequest(server)
  const { upload, file } = await sendOne(server.client, id)
  const path = filePath(upload.id, file.id, file.fileName)
  const statusWith = async (headers: Record<string, string>) =>
    (await sendRequest(server?.url ?? '', path, { headers })).status
  expect(await statusWith({})).toBe(302)
  expect(await statusWith({ 'x-requesttoken': access.requestToken })).toBe(200)
  expect(await statusWith({ 'x-requesttoken': '' })).toBe(403)
})

test('uploads of a request belong to its owner, who also removes them', async () => {
  const own = await startServerWithAccounts()
  server = own
  const { client, member } = await newOwner(own)
  const { id } = await client.createUploadRequest({ title: 'mine' })
  const { upload, uploadToken } = await sendOne(own.client, id, 'content', { sender: 'Ada' })
  expect(await client.upload(upload.id)).toMatchObject({ user: member.id, request: id, sender: 'Ada' })
  expect(await own.client.upload(upload.id, { uploadToken })).not.toHaveProperty('user')
  await client.removeUpload(upload.id)
  expect(await codeOf(own.client.upload(upload.id, { uploadToken }))).toBe('upload_not_found')
  expect((await client.receivedUploads(id)).total).toBe(0)
})

test('bytes that a full request refuses use nothing of the quota of its owner, and give nothing back', async () => {
  const own = await startServerWithAccounts()
  server = own
  const { client } = await newOwner(own, { maxUserSize: 2_500 })
  const { id } = await client.createUploadRequest({ title: 'small', maxSize: 1_000 })
  const refused = [await codeOf(sendOne(own.client, id, 'x'.repeat(2_000)))]
  refused.push(await codeOf(sendOne(own.client, id, 'x'.repeat(2_000))))
  expect(refused).toEqual(['request_full', 'request_full'])
  const { id: uploadID } = await client.createUpload()
  await client.addFile(uploadID, new Blob(['x'.repeat(2_500)]), { fileName: 'whole quota' })
  const more = client.addFile(uploadID, new Blob(['x']), { fileName: 'more' })
  expect(await codeOf(more)).toBe('quota_reached')
})

const wrapped = (inside: string) =>
  `-----BEGIN AGE ENCRYPTED FILE-----\n${Buffer.from(inside).toString('base64')}\n-----END AGE ENCRYPTED FILE-----\n`
const header = (work: string) =>
  `age-encryption.org/v1\n-> scrypt ${'s'.repeat(22)} ${work}\n${'b'.repeat(43)}\n--- ${'m'.repeat(43)}\n`
const wrappedIdentity = wrapped(`${header('18')}rest`)

test('the owner keeps an encrypted private key, which no one else gets', async () => {
  const own = await startServerWithAccounts()
  server = own
  const { client, member } = await newOwner(own)
  const { id } = await client.createUploadRequest({ title: 'mine', recipient })
  expect(await client.updateUploadRequest(id, { wrappedIdentity })).toMatchObject({ wrappedIdentity })
  expect(await client.uploadRequest(id)).toMatchObject({ wrappedIdentity })
  expect((await client.uploadRequests()).results[0]).not.toHaveProperty('wrappedIdentity')
  expect(await own.client.openUploadRequest(id)).not.toHaveProperty('wrappedIdentity')
  const { headers } = own.admin
  const seenByAdmin = await sendRequest(own.url, `/requests/${id}`, { headers })
  expect(JSON.parse(seenByAdmin.text)).toMatchObject({ id })
  expect(seenByAdmin.text).not.toContain('wrappedIdentity')
  const asOwner = { ...headers, [names.impersonate]: member.id }
  const seenAsOwner = await sendRequest(own.url, `/requests/${id}`, { headers: asOwner })
  expect(JSON.parse(seenAsOwner.text)).toMatchObject({ id, user: member.id })
  expect(seenAsOwner.text).not.toContain('wrappedIdentity')
  await client.updateUploadRequest(id, { wrappedIdentity: '' })
  expect(await client.uploadRequest(id)).not.toHaveProperty('wrappedIdentity')
})

const passkeyHeader = `age-encryption.org/v1\n-> age-encryption.org/fido2prf ${'n'.repeat(22)}\n${'b'.repeat(43)}\n--- ${'m'.repeat(43)}\n`
const passkey = (credential: string, file = wrapped(`${passkeyHeader}rest`)) => ({
  credential,
  wrappedIdentity: file,
})

test('the owner keeps a private key for several passkeys beside that for a passphrase, and removes them', async () => {
  const own = await startServerWithAccounts()
  server = own
  const { client, member } = await newOwner(own)
  const passkeyIdentities = [passkey('Y3JlZGVudGlhbA'), passkey('b3RoZXI')]
  const { id } = await client.createUploadRequest({ title: 'mine', recipient, wrappedIdentity })
  expect(await client.updateUploadRequest(id, { passkeyIdentities })).toMatchObject({
    passkeyIdentities,
    wrappedIdentity,
  })
  expect(await client.uploadRequest(id)).toMatchObject({ passkeyIdentities, wrappedIdentity })
  expect((await client.uploadRequests()).results[0]).not.toHaveProperty('passkeyIdentities')
  expect(await own.client.openUploadRequest(id)).not.toHaveProperty('passkeyIdentities')
  const { headers } = own.admin
  for (const seer of [headers, { ...headers, [names.impersonate]: member.id }]) {
    const seen = await sendRequest(own.url, `/requests/${id}`, { headers: seer })
    expect(JSON.parse(seen.text)).toMatchObject({ id })
    expect(seen.text).not.toContain('passkeyIdentities')
  }
  await client.updateUploadRequest(id, { passkeyIdentities: passkeyIdentities.slice(1) })
  expect(await client.uploadRequest(id)).toMatchObject({ passkeyIdentities: [passkey('b3RoZXI')] })
  await client.updateUploadRequest(id, { passkeyIdentities: [] })
  expect(await client.uploadRequest(id)).not.toHaveProperty('passkeyIdentities')
  expect(await client.uploadRequest(id)).toMatchObject({ wrappedIdentity })
  await client.createUploadRequest({ title: 'made with passkeys', passkeyIdentities })
})

test.for([
  ['a private key', [passkey('a', 'AGE-SECRET-KEY-1QQQQ')]],
  ['a private key behind a header', [passkey('a', wrapped(`${passkeyHeader}AGE-SECRET-KEY-1QQQQ`))]],
  ['a file for a passphrase', [passkey('a', wrappedIdentity)]],
  [
    'a file for a recipient beside',
    [passkey('a', wrapped(passkeyHeader.replace('---', '-> X25519 c2FsdA\n---')))],
  ],
  ['no base64url', [passkey('a/b')]],
  ['an empty id', [passkey('')]],
  ['a long id', [passkey('a'.repeat(limits.credentialIdLength + 1))]],
  ['a long file', [passkey('a', wrapped(`${passkeyHeader}${'x'.repeat(limits.wrappedIdentityLength)}`))]],
  ['a passkey twice', [passkey('a'), passkey('b'), passkey('a')]],
  ['six passkeys', Array.from('abcdef', (name) => passkey(name))],
] as const)(
  'a private key that no passkey protects, or too many, are refused: %s',
  async ([, identities]) => {
    server = await startTestServer()
    const { id, access } = await newRequest(server)
    const passkeyIdentities = [...identities]
    expect(await codeOf(server.client.updateUploadRequest(id, { passkeyIdentities }, access))).toBe(
      'invalid_request',
    )
  },
)

test('the longest passkeys that are accepted fit into the database', async () => {
  server = await startTestServer()
  const { id, access } = await newRequest(server)
  const file = wrapped(`${passkeyHeader}${'x'.repeat(2_800)}`).padEnd(limits.wrappedIdentityLength, '\n')
  const passkeyIdentities = Array.from({ length: limits.passkeysPerRequest }, (_, index) =>
    passkey(String(index).repeat(limits.credentialIdLength), file),
  )
  await server.client.updateUploadRequest(id, { passkeyIdentities }, access)
  expect(await server.client.uploadRequest(id, access)).toMatchObject({ passkeyIdentities })
})

test.for([
  ['a private key', 'AGE-SECRET-KEY-1QQQQ'],
  ['a private key in armor', wrapped('AGE-SECRET-KEY-1QQQQ')],
  ['a file for a recipient', wrapped('age-encryption.org/v1\n-> X25519 c2FsdA\n')],
  ['a private key behind a header', wrapped(`${header('18')}AGE-SECRET-KEY-1QQQQ`)],
  ['a file with too much work', wrapped(`${header('21')}rest`)],
  ['armor without an end', wrappedIdentity.slice(0, -10)],
])('a private key that no passphrase protects is refused: %s', async ([, text = '']) => {
  server = await startTestServer()
  const { id, access } = await newRequest(server)
  expect(await codeOf(server.client.updateUploadRequest(id, { wrappedIdentity: text }, access))).toBe(
    'invalid_request',
  )
})
