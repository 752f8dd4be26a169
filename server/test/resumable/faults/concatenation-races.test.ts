import { afterEach, expect, test } from 'vitest'
import { expectCorrectCounters } from '../../support/databases/correct-counters.ts'
import { connectDirectly } from '../../support/databases/direct-connection.ts'
import { rawConnection, requestHead } from '../../support/clients/raw-connection.ts'
import { errorIn, sendRequest } from '../../support/clients/send-request.ts'
import { randomBytes } from '../../support/clients/stored-upload.ts'
import { storedFiles } from '../../support/servers/server-data.ts'
import { emptyDirectory, startSvcd } from '../../support/servers/svcd.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { until } from '../../support/until.ts'
import { begin, joinParts, newTarget, sendParts, version, type TusFile, type UploadTarget } from '../tus.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const halves = [randomBytes(300_000), randomBytes(300_000)]

/** Ends an upload with the parts that are left, and expects that nothing of it stays. */
async function expectNothingLeft(own: TestServer, { id, headers }: UploadTarget): Promise<void> {
  await sendRequest(own.url, `/upload/${id}`, { method: 'DELETE', headers })
  // What is still being copied is deleted by the cleanup after its end.
  await until('no bytes are left', async () => {
    await own.clean()
    return storedFiles(own).length === 0
  })
  const database = await connectDirectly(own.config.metadataBackend)
  await expectCorrectCounters(database, own)
  await database.close()
}

// In a separate process, whose requests arrive together: without an order, two requests then hold each other's locks at once.
test('final uploads with the same parts in opposite orders all get responses', async () => {
  const own = await startSvcd(await emptyDirectory())
  try {
    for (let round = 0; round < 20; round++) {
      const target = await newTarget(own)
      const [one, other] = (await sendParts(own, target, [randomBytes(1), randomBytes(1)])) as [
        TusFile,
        TusFile,
      ]
      // With a part that is not complete, all are refused.
      const unfinished = await begin(own, target, { size: 2, headers: { 'upload-concat': 'partial' } })
      const orders = [
        [one, other, unfinished],
        [other, one, unfinished],
      ]
      const responses = await Promise.all(
        [...orders, ...orders].map((order) => joinParts(own, target, order)),
      )
      for (const response of responses)
        expect(['invalid_request', 'taken_over']).toContain(errorIn(response).code)
    }
  } finally {
    own.kill('SIGKILL')
    await own.ended
  }
})

/** Sends a final upload, and breaks the connection off before the response. */
async function abandonFinal(own: TestServer, target: UploadTarget, parts: readonly TusFile[]) {
  const connection = await rawConnection(own.url)
  const urls = parts.map(({ path }) => path).join(' ')
  await connection.send(
    requestHead('POST', `/tus/${target.id}`, {
      ...target.headers,
      ...version,
      'upload-concat': `final;${urls}`,
      'upload-metadata': `fileName ${btoa('file.bin')}`,
      'content-length': '0',
    }),
  )
  return connection
}

test('clients that disconnect during a final upload harm no one', async () => {
  const own = await startTestServer()
  server = own
  const target = await newTarget(own)
  const parts = await sendParts(own, target, halves)
  for (let round = 0; round < 12; round++) {
    const connections = await Promise.all([0, 1].map(() => abandonFinal(own, target, parts)))
    await Promise.all(Array.from({ length: round }, () => sendRequest(own.url, '/health')))
    for (const connection of connections) connection.socket.destroy()
    expect((await sendRequest(own.url, '/health')).status).toBe(200)
  }
  await expectNothingLeft(own, target)
})

test('a closed request still accepts the file whose parts have begun, and its place is that of a part', async () => {
  const own = await startTestServer()
  server = own
  const { id, requestToken = '' } = await own.client.createUploadRequest({
    title: 'Photos',
    maxFiles: 2,
    extensions: ['jpg'],
  })
  const upload = await own.client.sendToUploadRequest(id)
  const target = { id: upload.id, headers: { 'x-uploadtoken': upload.uploadToken ?? '' } }
  const parts = await sendParts(own, target, halves)
  await own.client.updateUploadRequest(id, { closed: true }, { requestToken })
  expect(errorIn(await joinParts(own, target, parts, { fileName: 'a.exe' }))).toMatchObject({
    code: 'extension_refused',
  })
  expect((await joinParts(own, target, parts, { fileName: 'a.jpg' })).status).toBe(201)
  expect(await own.client.uploadRequest(id, { requestToken })).toMatchObject({
    files: 1,
    size: 600_000,
  })
  await expectNothingLeft(own, target)
})

test('final uploads spend the budgets', async () => {
  const first = await startTestServer()
  const { budgets } = first.config
  await first.close()
  const own = await startTestServer({ config: { budgets: { ...budgets, files: 4 } } })
  server = own
  const target = await newTarget(own, { e2ee: 'age' })
  const parts = await sendParts(own, target, halves)
  const codes = []
  for (let final = 0; final < 3; final++) codes.push(errorIn(await joinParts(own, target, parts)).code)
  expect(codes).toEqual(['not_encrypted', 'not_encrypted', 'budget_reached'])
})
