import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
beforeAll(async () => {
  server = await startServerWithAccounts()
})
afterAll(() => server.close())

/** An upload with two declared files, of which the first has arrived. */
async function halfArrived(options: { readonly stream?: boolean } = {}) {
  const { client } = server
  const upload = await client.createUpload({ ...options, files: [{ fileName: 'a' }, { fileName: 'b' }] })
  const { id, uploadToken } = upload
  const [first, second] = upload.files
  if (!first || !second) throw new Error('the files are not declared')
  return { client, id, uploadToken, first, second }
}
const marks = async ({ client, id }: Awaited<ReturnType<typeof halfArrived>>) =>
  Object.fromEntries((await client.upload(id)).files.map((file) => [file.fileName, file.notUploaded]))

test('of two removed files, the one that was never complete is described as not uploaded', async () => {
  const made = await halfArrived()
  const { client, id, uploadToken, first, second } = made
  await client.addFile(id, new Blob(['x']), { fileName: 'a', fileID: first.id, uploadToken })
  expect(await marks(made)).toEqual({ a: undefined, b: undefined })
  await client.removeFile(id, second, { uploadToken })
  await client.removeFile(id, first, { uploadToken })
  expect(await marks(made)).toEqual({ a: undefined, b: true })
})

test('a stream stores no file, and says nothing of it', async () => {
  const made = await halfArrived({ stream: true })
  await made.client.removeFile(made.id, made.first, { uploadToken: made.uploadToken })
  expect(await marks(made)).toEqual({ a: undefined, b: undefined })
})
