import { afterEach, expect, test } from 'vitest'
import { createServers } from '../../test/served.ts'
import { createClient } from './client.ts'

const { respondingWith, close } = createServers()
afterEach(close)

test.each(['', '../u1', 'x/../../evil', 'a.b', 'a b', 'x'.repeat(65), 7, null])(
  'an upload and a file with the id %j are refused',
  async (id) => {
    const client = createClient({
      baseURL: await respondingWith(200, 'application/json', JSON.stringify({ id, files: [] })),
    })
    const invalid = { code: 'invalid_response' }
    await expect(client.upload('u1')).rejects.toMatchObject(invalid)
    await expect(client.createUpload()).rejects.toMatchObject(invalid)
    await expect(client.createUploadRequest({ title: 'a' })).rejects.toMatchObject(invalid)
    await expect(client.openUploadRequest('r1')).rejects.toMatchObject(invalid)
    await expect(client.addFile('u1', new Blob(['x']), { fileName: 'a' })).rejects.toMatchObject(invalid)
    const files = JSON.stringify({
      id: 'u1',
      files: [
        { id: 'f1', fileName: 'a' },
        { id, fileName: 'b' },
      ],
    })
    const many = createClient({ baseURL: await respondingWith(200, 'application/json', files) })
    await expect(many.upload('u1')).rejects.toMatchObject(invalid)
  },
)

test('an upload with ids in the characters of other servers is accepted', async () => {
  const upload = { id: 'up-load_1', files: [{ id: 'x'.repeat(64), fileName: 'a' }] }
  const baseURL = await respondingWith(200, 'application/json', JSON.stringify(upload))
  expect(await createClient({ baseURL }).upload('u1')).toMatchObject(upload)
})

test.each([null, 7, {}, { id: 'f1' }, { id: 'f1', fileName: 7 }])(
  'an upload with the file %j is refused',
  async (file) => {
    const upload = JSON.stringify({ id: 'u1', files: [file] })
    const baseURL = await respondingWith(200, 'application/json', upload)
    await expect(createClient({ baseURL }).upload('u1')).rejects.toMatchObject({ code: 'invalid_response' })
  },
)
