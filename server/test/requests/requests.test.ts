import { archivePath, filePath, limits } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { codeOf, newRequest, sendOne } from './caller.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const statusOf = async (path: string, headers: Record<string, string> = {}) =>
  (await sendRequest(server.url, path, { headers })).status

test('a guest asks for files, and a sender sends them and has a receipt', async () => {
  const { request, id, access } = await newRequest(server, { message: 'Please *all*', maxFiles: 3 })
  expect(request).toMatchObject({ title: 'Photos', open: true, closed: false, uploads: 0, files: 0 })
  const { upload, uploadToken } = await sendOne(server.client, id, 'hello', { sender: 'Ada' })
  const receipt = await server.client.upload(upload.id, { uploadToken })
  expect(receipt).toMatchObject({
    request: id,
    sender: 'Ada',
    files: [{ fileName: 'a.txt', fileSize: 5, md5: '5d41402abc4b2a76b9719d911017c592', status: 'uploaded' }],
  })
  const inbox = await server.client.receivedUploads(id, {}, access)
  expect(inbox.results).toMatchObject([{ id: upload.id, sender: 'Ada', files: [{ fileSize: 5 }] }])
  expect(inbox.results[0]).not.toHaveProperty('uploadToken')
  expect(await server.client.uploadRequest(id, access)).toMatchObject({
    uploads: 1,
    unseen: 1,
    files: 1,
    size: 5,
  })
  expect(await server.client.updateUploadRequest(id, { seen: true }, access)).toMatchObject({ unseen: 0 })
})

test('a sender sees what is asked for, and nothing else', async () => {
  const { id } = await newRequest(server, { message: 'm', maxFileSize: 10, extensions: ['.PDF', 'tar.gz'] })
  await sendOne(server.client, id, 'x', { fileName: 'a.pdf' })
  expect(await server.client.openUploadRequest(id)).toEqual({
    id,
    title: 'Photos',
    message: 'm',
    expireAt: expect.any(String) as string,
    open: true,
    maxFiles: -1,
    maxFileSize: 10,
    maxSize: -1,
    extensions: ['pdf', 'tar.gz'],
    senderName: 'optional',
    recipient: '',
    filesLeft: -1,
    sizeLeft: -1,
  })
})

test('the id of a received upload is not enough to read it', async () => {
  const { id, access } = await newRequest(server)
  const { upload, uploadToken, file } = await sendOne(server.client, id)
  const other = await sendOne(server.client, id)
  const paths = [
    `/upload/${upload.id}`,
    filePath(upload.id, file.id, file.fileName),
    archivePath(upload.id, 'all.zip'),
  ]
  for (const path of paths) {
    expect([path, await statusOf(path)]).toEqual([path, 403])
    expect([path, await statusOf(path, { 'x-uploadtoken': other.uploadToken })]).toEqual([path, 403])
    expect([path, await statusOf(path, { 'x-uploadtoken': uploadToken })]).toEqual([path, 200])
    expect([path, await statusOf(path, { 'x-requesttoken': access.requestToken })]).toEqual([path, 200])
  }
  expect(await statusOf(`/s/${upload.id}`)).toBe(404)
  expect(await codeOf(server.client.receivedUploads(id, {}, { uploadToken }))).toBe('not_allowed')
  expect(await codeOf(server.client.uploadRequest(id))).toBe('not_allowed')
})

test('a closed request refuses the next upload and the next file, and keeps what came', async () => {
  const { id, access } = await newRequest(server)
  const { upload, uploadToken } = await sendOne(server.client, id)
  const begun = await server.client.sendToUploadRequest(id, { files: [{ fileName: 'later.txt' }] })
  await server.client.updateUploadRequest(id, { closed: true }, access)
  expect(await server.client.openUploadRequest(id)).toMatchObject({ open: false })
  expect(await codeOf(server.client.sendToUploadRequest(id))).toBe('request_closed')
  const next = server.client.addFile(upload.id, new Blob(['x']), { fileName: 'b', uploadToken })
  expect(await codeOf(next)).toBe('request_closed')
  // A file that was counted before may still come.
  const [declared] = begun.files
  await server.client.addFile(begun.id, new Blob(['later']), {
    fileName: 'later.txt',
    fileID: declared?.id,
    uploadToken: begun.uploadToken,
  })
  expect((await server.client.receivedUploads(id, {}, access)).total).toBe(2)
  await server.client.updateUploadRequest(id, { closed: false }, access)
  await sendOne(server.client, id)
  expect((await server.client.receivedUploads(id, {}, access)).total).toBe(3)
})

test('limits hold for each file and for all together, in one request and in parts', async () => {
  const { id, access } = await newRequest(server, { maxFiles: 3, maxFileSize: 10, maxSize: 15 })
  const { client } = server
  const { upload, uploadToken } = await sendOne(client, id, '12345')
  const add = (content: string, resumable?: false) =>
    client.addFile(upload.id, new Blob([content]), {
      fileName: 'b',
      uploadToken,
      resumable: resumable ?? { threshold: -1 },
    })
  expect(await codeOf(add('x'.repeat(11)))).toBe('file_too_big')
  expect(await codeOf(add('x'.repeat(11), false))).toBe('file_too_big')
  await add('x'.repeat(9))
  expect(await codeOf(add('xx'))).toBe('request_full')
  expect(await codeOf(add('xx', false))).toBe('request_full')
  expect(await client.uploadRequest(id, access)).toMatchObject({ files: 2, size: 14, open: true })
  await add('x')
  expect(await client.uploadRequest(id, access)).toMatchObject({ files: 3, size: 15, open: false })
  expect(await codeOf(add(''))).toBe('request_full')
  const declared = [{ fileName: 'a', fileSize: 1 }]
  expect(await codeOf(client.sendToUploadRequest(id, { files: declared }))).toBe('request_full')
})

test('what did not arrive is given back: a removed upload, its declared files, a broken one', async () => {
  const { id, access } = await newRequest(server, { maxFiles: 2, oneSender: true })
  const { client } = server
  const files = [{ fileName: 'a' }, { fileName: 'b' }]
  const created = await client.sendToUploadRequest(id, { files })
  expect(await client.uploadRequest(id, access)).toMatchObject({ uploads: 1, files: 2, open: false })
  expect(await codeOf(client.sendToUploadRequest(id))).toBe('request_full')
  const [first] = created.files
  const { uploadToken = '' } = created
  await client.removeFile(created.id, { id: first?.id ?? '', fileName: 'a' }, { uploadToken })
  expect(await client.uploadRequest(id, access)).toMatchObject({ uploads: 1, files: 1 })
  await client.removeUpload(created.id, { uploadToken })
  expect(await client.uploadRequest(id, access)).toMatchObject({ uploads: 0, files: 0, open: true })
  const sent = await sendOne(client, id, 'content')
  await client.removeUpload(sent.upload.id, { uploadToken: sent.uploadToken })
  // It came: its sender may take it back, but the request has received it.
  expect(await client.uploadRequest(id, access)).toMatchObject({ uploads: 1, files: 1, size: 7 })
})

test('only the asked extensions are accepted', async () => {
  const { id } = await newRequest(server, { extensions: ['pdf'] })
  expect(await codeOf(sendOne(server.client, id, 'x', { fileName: 'a.exe' }))).toBe('extension_refused')
  expect(await codeOf(server.client.sendToUploadRequest(id, { files: [{ fileName: 'pdf' }] }))).toBe(
    'extension_refused',
  )
  await sendOne(server.client, id, 'x', { fileName: 'A.PDF' })
})

test('a password protects what senders see and do', async () => {
  const { id, access } = await newRequest(server, { password: 'secret word' })
  const credentials = { login: 'svc', password: 'secret word' }
  expect(await codeOf(server.client.openUploadRequest(id))).toBe('wrong_credentials')
  expect(await codeOf(server.client.sendToUploadRequest(id))).toBe('wrong_credentials')
  expect(
    await codeOf(server.client.openUploadRequest(id, { credentials: { ...credentials, password: 'x' } })),
  ).toBe('wrong_credentials')
  expect(await server.client.openUploadRequest(id, { credentials })).toMatchObject({ id })
  await server.client.sendToUploadRequest(id, {}, { credentials })
  expect(await server.client.uploadRequest(id, access)).toMatchObject({ protectedByPassword: true })
  expect(await server.client.updateUploadRequest(id, { password: '' }, access)).toMatchObject({
    protectedByPassword: false,
  })
})

test('the name of the sender is asked for as the owner says', async () => {
  const required = await newRequest(server, { senderName: 'required' })
  expect(await codeOf(server.client.sendToUploadRequest(required.id))).toBe('option_required')
  expect(await server.client.sendToUploadRequest(required.id, { sender: ' Ada ' })).toMatchObject({
    sender: 'Ada',
  })
  const none = await newRequest(server, { senderName: 'none' })
  expect(await server.client.sendToUploadRequest(none.id, { sender: 'Ada' })).not.toHaveProperty('sender')
})

test.each([
  ['an empty title', { title: ' ' }],
  ['a title with a line break', { title: 'a\nb' }],
  ['a title that is written backwards', { title: 'a\u202eb' }],
  ['a title with half a character', { title: 'a\ud800' }],
  ['a long title', { title: 'x'.repeat(limits.titleLength + 1) }],
  ['a long message', { message: 'é'.repeat(limits.requestMessageBytes / 2 + 1) }],
  ['a message with NUL', { message: 'a\0' }],
  ['an extension with a slash', { extensions: ['a/b'] }],
  ['an extension with a space', { extensions: ['a b'] }],
  ['an empty extension', { extensions: ['.'] }],
  ['a limit without a number', { maxFiles: 1.5 }],
])('%s is refused', async (_name, options) => {
  expect(await codeOf(newRequest(server, options))).toBe('invalid_request')
})

test.each([
  ['a control character', 'a\u0007b'],
  ['a line break', 'a\nb'],
  ['a direction mark', 'a\u202eb'],
  ['too many characters', 'x'.repeat(limits.senderLength + 1)],
])('the name of a sender with %s is refused', async (_name, sender) => {
  const { id } = await newRequest(server)
  expect(await codeOf(server.client.sendToUploadRequest(id, { sender }))).toBe('invalid_request')
})

test('an expired request is gone for senders, and its owner still has what came', async () => {
  const own = await startTestServer()
  try {
    const { client } = own
    const { id, access } = await newRequest(own, { ttl: 60, uploadTTL: 3600 })
    const ending = await newRequest(own, { ttl: 60, uploadTTL: 3600, afterEnd: 'remove' })
    await sendOne(client, id)
    await sendOne(client, ending.id)
    own.clock.advance(60_000)
    expect(await codeOf(client.openUploadRequest(id))).toBe('request_not_found')
    expect(await codeOf(client.sendToUploadRequest(id))).toBe('request_not_found')
    expect((await client.receivedUploads(id, {}, access)).total).toBe(1)
    expect((await client.receivedUploads(ending.id, {}, ending.access)).total).toBe(0)
    await own.clean()
    own.clock.advance(3600_000)
    await own.clean()
    own.clock.advance(own.config.retention * 1000)
    await own.clean()
    expect(await codeOf(client.uploadRequest(id, access))).toBe('request_not_found')
    expect(await codeOf(client.uploadRequest(ending.id, ending.access))).toBe('request_not_found')
  } finally {
    await own.close()
  }
})

test('a removed request takes along what it has received, and so does a request with more than a batch', async () => {
  const own = await startTestServer()
  try {
    const { client } = own
    const few = await newRequest(own)
    const { upload, uploadToken } = await sendOne(client, few.id)
    await client.removeUploadRequest(few.id, few.access)
    expect(await codeOf(client.uploadRequest(few.id, few.access))).toBe('request_not_found')
    expect(await codeOf(client.upload(upload.id, { uploadToken }))).toBe('upload_not_found')
    expect(await codeOf(client.removeUploadRequest(few.id, few.access))).toBe('request_not_found')

    const many = await newRequest(own)
    const sent = await Promise.all(Array.from({ length: 230 }, () => client.sendToUploadRequest(many.id, {})))
    await client.removeUploadRequest(many.id, many.access)
    expect(await codeOf(client.sendToUploadRequest(many.id))).toBe('request_not_found')
    await own.clean()
    const last = sent.at(-1)
    expect(await codeOf(client.upload(last?.id ?? '', { uploadToken: last?.uploadToken }))).toBe(
      'upload_not_found',
    )
  } finally {
    await own.close()
  }
})

test('a request that is removed while a file arrives takes the file along', async () => {
  const { id, access } = await newRequest(server)
  const upload = await server.client.sendToUploadRequest(id)
  const bytes = randomBytes(200_000)
  async function* chunks() {
    yield bytes.subarray(0, 100_000)
    await server.client.removeUploadRequest(id, access)
    yield bytes.subarray(100_000)
  }
  const form = { fileName: 'a', uploadToken: upload.uploadToken, resumable: false } as const
  const sending = server.client.addFile(upload.id, { chunks: chunks() }, form)
  expect(await codeOf(sending)).toBe('file_not_found')
})

test('an upload that expires gives back what did not arrive', async () => {
  const own = await startTestServer()
  try {
    const { client } = own
    const { id, access } = await newRequest(own, { ttl: 7200, uploadTTL: 3600, maxFiles: 3 })
    await client.sendToUploadRequest(id, { files: [{ fileName: 'never' }] })
    const half = await client.sendToUploadRequest(id, { files: [{ fileName: 'never' }] })
    const { uploadToken } = half
    await client.addFile(half.id, new Blob(['came']), { fileName: 'a', uploadToken })
    expect(await client.uploadRequest(id, access)).toMatchObject({ uploads: 2, files: 3, open: false })
    own.clock.advance(3600_000)
    await own.clean()
    expect(await client.uploadRequest(id, access)).toMatchObject({
      uploads: 1,
      files: 1,
      size: 4,
      open: true,
    })
  } finally {
    await own.close()
  }
})
