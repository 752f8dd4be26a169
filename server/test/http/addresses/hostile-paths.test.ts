import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endpoints } from '@svc/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../src/http/routes.ts'
import { sendRequest } from '../../support/clients/send-request.ts'
import { rawConnection, requestHead } from '../../support/clients/raw-connection.ts'
import { storedFiles } from '../../support/servers/server-data.ts'
import { storeUpload, type StoredUpload } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

let server: TestServer
let parent: string
let known: StoredUpload
/** A file next to the data directory, whose name begins with that of the directory. */
let neighbour: string

beforeAll(async () => {
  parent = await temporaryDirectory()
  neighbour = join(parent, 'data', 'files-secret', 'canary')
  await mkdir(join(parent, 'data', 'files-secret'), { recursive: true })
  await writeFile(neighbour, 'canary-content')
  server = await startTestServer({ directory: join(parent, 'data') })
  known = await storeUpload(server, 'known')
})
afterAll(async () => {
  await server.close()
})

const nasty = [
  '..', '.', '../..', '..%2f..', '%2e%2e', '%2e%2e%2f', '..%5c', '%5c..%5c', '..\\', '%00', 'a%00b', '%252e%252e',
  'C:', 'C:%5cx', 'con', '%e2%80%ae', '%f0%9f%92%a9', '%ed%a0%80', '~', '-rf', '*', '%0d%0aX: y', '%20', ';', '&', "'",
  '"', '<svg>', '__proto__', 'constructor', 'files-secret', '..%2ffiles-secret%2fcanary', 'a'.repeat(16), 'A'.repeat(17),
  '%E2%84%AA'.repeat(16), 'canary', '.part', '%2f', '//', '%2fetc%2fpasswd', '/etc/passwd', 'svc.db', '?', '#',
] // prettier-ignore

const segment = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.array(fc.constantFrom(...nasty), { minLength: 2, maxLength: 4 }).map((parts) => parts.join('')),
)

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Ids of an existing upload replace some of the hostile ones, so that the later ones are reached. */
const request = fc.record({
  template: fc.constantFrom(
    ...new Set(routes.map(({ endpoint }) => endpoint.path).filter((path) => path.includes('{'))),
  ),
  method: fc.constantFrom(...methods),
  upload: fc.oneof(fc.constant(null), segment),
  file: fc.oneof(fc.constant(null), segment),
  name: segment,
})

test('there are routes with ids to attack', () => {
  expect(Object.keys(endpoints).length).toBeGreaterThan(0)
  expect(routes.filter(({ endpoint }) => endpoint.path.includes('{')).length).toBeGreaterThan(5)
})

test('no id or name from outside makes the server fail, or reaches a file outside of its data', async () => {
  const { upload, file } = known
  await fc.assert(
    fc.asyncProperty(request, async ({ template, method, upload: uploadID, file: fileID, name }) => {
      const path = template
        .replace('{uploadID}', uploadID ?? upload.id)
        .replace('{fileID}', fileID ?? file.id)
        .replace('{filename}', name)
      // By hand: a standard client would normalize the path.
      const connection = await rawConnection(server.url)
      await connection.send(requestHead(method, path, { connection: 'close', 'content-length': 0 }))
      const response = (await connection.rest()).toString()
      expect(response).toMatch(/^HTTP\/1\.1 [234]\d\d /)
      expect(response).not.toContain('canary-content')
      expect(response).not.toContain('root:x:0:0')
    }),
    { numRuns: 1_500 },
  )
  expect(await readFile(neighbour, 'utf8')).toBe('canary-content')
  expect((await sendRequest(server.url, known.path)).text).toBe('known')
  // An empty PUT /{name} stores an empty file; the name of every stored file is one of our ids.
  for (const stored of storedFiles(server)) expect(stored).toMatch(/^[0-9A-Za-z]{16}$/)
})

test('a symbolic link in the data directory is neither read, nor overwritten, nor followed by the cleanup', async () => {
  const { upload, uploadToken, file, path } = await storeUpload(server, 'real')
  const place = join(server.directory, 'files', file.id.slice(0, 2), file.id)
  await rm(place)
  await symlink(neighbour, place)
  const response = await sendRequest(server.url, path)
  expect(response.status).toBe(404)
  expect(response.text).not.toContain('canary-content')
  // Its length is sent before the loss is found, so that the connection is cut.
  const connection = await rawConnection(server.url)
  await connection.send(requestHead('GET', `/archive/${upload.id}/all.zip`, { connection: 'close' }))
  expect((await connection.rest()).toString()).not.toContain('canary-content')
  await server.client.removeUpload(upload.id, { uploadToken })
  await server.clean()
  expect(await readFile(neighbour, 'utf8')).toBe('canary-content')
})
