import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectNothingLeft } from '../../support/servers/nothing-left.ts'
import { sendRequest } from '../../support/clients/send-request.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { rawConnection, requestHead } from '../../support/clients/raw-connection.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a file for an upload that is removed meanwhile is rejected as such, not for the number of files', async () => {
  const { id, uploadToken = '' } = await server.client.createUpload()
  const body = fileForm('content')
  const headers = { 'x-uploadtoken': uploadToken, 'content-type': formType, 'content-length': body.length }
  const connection = await rawConnection(server.url)
  await connection.send(requestHead('POST', `/file/${id}`, headers))
  await connection.send(body.subarray(0, 10))
  await sendRequest(server.url, '/health')
  await server.client.removeUpload(id, { uploadToken })
  await connection.send(body.subarray(10))
  const response = await connection.response()
  expect([response.status, JSON.parse(response.body.toString())]).toMatchObject([
    404,
    { code: 'upload_not_found' },
  ])
  await expectNothingLeft(server)
})
