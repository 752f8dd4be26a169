import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { defaultConfig } from '../../../src/config/load.ts'
import { openDataBackend } from '../../../src/data/open.ts'
import { errorIn } from '../../support/clients/send-request.ts'
import { openDataFiles } from '../../support/machine/descriptors.ts'
import { fragileBackend, type Breakage, type FragileBackend } from '../../support/stores/fragile-backend.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'
import { lookUp, storedFiles } from '../../support/servers/server-data.ts'
import { randomBytes } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { checksum, expectWhole, head, readListedFile, offsetOf, patch, tus, newFile } from '../tus.ts'
import { until } from '../../support/until.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

let directory: string
let data: FragileBackend
let server: TestServer
beforeAll(async () => {
  directory = await temporaryDirectory()
  data = fragileBackend(
    await openDataBackend(defaultConfig(directory).dataBackend, manualClock(), (into) =>
      crypto.getRandomValues(into),
    ),
  )
  server = await startTestServer({ data, directory })
})
afterEach(async () => {
  // The server closes the file of a download a moment after its last byte.
  await until('no data file is open', () => openDataFiles(server).length === 0)
  expect(lookUp(server, 'select writer from resumables where writer is not null')).toEqual([])
})
afterAll(async () => {
  await server.close()
})

const bytes = randomBytes(3_000_000)
const errorByBreakage: Readonly<Record<Breakage, { readonly status: number; readonly code: string }>> = {
  broken: { status: 500, code: 'internal_error' },
  full: { status: 507, code: 'no_space' },
  unavailable: { status: 503, code: 'unavailable' },
}
const started = () => newFile(server, { size: bytes.length })

for (const why of ['broken', 'full', 'unavailable'] as const) {
  test(`a store that is ${why} at any write: the client gets an error, and resumes afterwards`, async () => {
    const whole = await started()
    expect((await patch(server, whole, 0, bytes)).status).toBe(204)
    const count = data.chunks()
    expect(count).toBeGreaterThan(2)
    for (let write = 1; write <= count; write += 1) {
      const file = await started()
      data.breakAt(write, why)
      const response = await patch(server, file, 0, bytes)
      data.breakAt(undefined)
      expect(errorIn(response)).toEqual(errorByBreakage[why])
      const offset = await offsetOf(server, file)
      expect(offset).toBeLessThan(bytes.length)
      expect((await patch(server, file, offset, bytes.subarray(offset))).status).toBe(204)
      await expectWhole(server, file, bytes)
    }
  })

  test(`a store that is ${why} at the end: the next request finishes the file`, async () => {
    const file = await started()
    data.breakEnds(why)
    expect(errorIn(await patch(server, file, 0, bytes))).toEqual(errorByBreakage[why])
    expect((await head(server, file)).status).toBe(errorByBreakage[why].status)
    expect((await readListedFile(server, file)).status).toBe('uploading')
    data.breakEnds(undefined)
    expect(await offsetOf(server, file)).toBe(bytes.length)
    await expectWhole(server, file, bytes)
  })

  test(`a store that is ${why} at the end: an empty last part finishes the file, too`, async () => {
    const file = await started()
    data.breakEnds(why)
    expect(errorIn(await patch(server, file, 0, bytes))).toEqual(errorByBreakage[why])
    data.breakEnds(undefined)
    expect((await patch(server, file, bytes.length, new Uint8Array())).status).toBe(204)
    await expectWhole(server, file, bytes)
  })

  test(`a store that is ${why} at a termination: the bytes are removed later`, async () => {
    const before = storedFiles(server)
    const file = await started()
    await patch(server, file, 0, bytes.subarray(0, 1_000_000))
    data.breakEnds(why)
    expect((await tus(server, file.target, 'DELETE', { path: file.path })).status).toBe(204)
    expect((await readListedFile(server, file)).status).toBe('removed')
    expect((await server.clean()).failedDeletions).toBeGreaterThan(0)
    data.breakEnds(undefined)
    await server.clean()
    expect(storedFiles(server)).toEqual(before)
    expect((await readListedFile(server, file)).status).toBe('deleted')
  })
}

test('a store that failed during a part with a checksum accepts the part again from its beginning', async () => {
  const file = await started()
  const part = bytes.subarray(0, 2_000_000)
  data.breakAt(2)
  const headers = { 'upload-checksum': checksum(part) }
  expect((await patch(server, file, 0, part, headers)).status).toBe(500)
  data.breakAt(undefined)
  expect(await offsetOf(server, file)).toBe(0)
  expect((await patch(server, file, 0, part, headers)).status).toBe(204)
  const rest = bytes.subarray(2_000_000)
  expect((await patch(server, file, 2_000_000, rest, { 'upload-checksum': checksum(rest) })).status).toBe(204)
  await expectWhole(server, file, bytes)
})
