import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { storeUpload, type StoredUpload } from '../support/clients/stored-upload.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { json, svcd } from './command-line.ts'

/** After everything that is stored was written. */
const later = manualClock(Date.UTC(2100, 0, 1))
const orphan = 'orphan0000000001'

let server: TestServer
let stored: StoredUpload[]
beforeEach(async () => {
  server = await startTestServer({ directory: await emptyDirectory() })
  stored = []
  for (let n = 0; n < 5; n += 1) stored.push(await storeUpload(server, `content ${String(n)}`))
})
afterEach(async () => {
  await server.close()
})

const verify = (...args: string[]) => svcd(server.directory, ['verify', ...args], { clock: later })
const pathOf = (id: string) => join(server.directory, 'files', id.slice(0, 2), id)

async function damage(): Promise<StoredUpload> {
  const [shrunk] = stored
  if (shrunk === undefined) throw new Error('no upload')
  await writeFile(pathOf(shrunk.file.id), 'cut')
  await writeFile(join(server.directory, 'files', shrunk.file.id.slice(0, 2), 'foreign'), '')
  await mkdir(join(server.directory, 'files', orphan.slice(0, 2)), { recursive: true })
  await writeFile(pathOf(orphan), 'orphaned')
  return shrunk
}

test('without findings it reports how much was compared and ends with 0', async () => {
  expect(await verify()).toEqual({
    status: 0,
    output:
      'files in the database    5\nfiles in the data store  5\nfiles hashed             0\nleft                     0\n',
    stderr: '',
  })
  expect(await json(server.directory, ['verify', '--hashes'], { clock: later })).toMatchObject({
    files: 5,
    stored: 5,
    hashed: 5,
    findings: [],
    found: { lost: 0, wrong_size: 0, wrong_hash: 0, orphaned: 0, unfinished: 0, unreadable: 0 },
  })
})

test('findings are listed, and it ends with 1', async () => {
  const shrunk = await damage()
  const { status, output, stderr } = await verify()
  expect([status, stderr]).toEqual([1, ''])
  const lines = output.split('\n')
  expect(lines[0]).toMatch(/^KIND +FILE +UPLOAD +EXPECTED +STORED +CHANGED +REPAIR$/)
  expect(lines).toContainEqual(
    expect.stringMatching(
      new RegExp(`^wrong_size +${shrunk.file.id} +${shrunk.upload.id} +9 B +3 B +\\S+Z +-$`),
    ),
  )
  expect(lines).toContainEqual(
    expect.stringMatching(new RegExp(`^orphaned +${orphan} +- +- +8 B +\\S+Z +-$`)),
  )
  expect(output).toMatch(/^left +2$/m)

  const response = await svcd(server.directory, ['verify', '--json', '--limit=1'], { clock: later })
  expect(response.status).toBe(1)
  expect(JSON.parse(response.output)).toMatchObject({
    found: { wrong_size: 1, orphaned: 1 },
    left: { wrong_size: 1, orphaned: 1 },
    findings: [{ action: null, modifiedAt: expect.stringMatching(/Z$/) as unknown }],
  })
  expect((await verify('--limit=1')).output).toContain('(1 of 2, see --limit)')
})

test('a repair moves orphans to the quarantine, and reports it', async () => {
  const shrunk = await damage()
  const young = await svcd(server.directory, ['verify', '--repair'], { clock: manualClock(0) })
  expect(young.status).toBe(1)
  expect(young.output).toMatch(new RegExp(`^orphaned .* too_young$`, 'm'))
  expect(young.output).toMatch(new RegExp(`^wrong_size +${shrunk.file.id} .* removed$`, 'm'))
  const { status, output } = await verify('--repair', '--older-than=1h')
  expect(status).toBe(0)
  expect(output).toMatch(new RegExp(`^orphaned +${orphan} .* quarantined$`, 'm'))
  expect((await readdir(join(server.directory, 'files/quarantine'))).sort()).toEqual(
    [orphan, shrunk.file.id].sort(),
  )
  expect((await sendRequest(server.url, shrunk.path)).status).toBe(404)
  expect((await verify()).status).toBe(0)
  await server.clean()
  expect((await verify('--hashes')).output).toMatch(/^files hashed +4$/m)
})

test('a repair that seems to use the wrong directory is rejected unless it is forced', async () => {
  for (const { file } of stored.slice(1)) await writeFile(pathOf(file.id), 'cut')
  const { status, output, stderr } = await verify('--repair')
  expect([status, output]).toEqual([1, ''])
  expect(stderr).toContain('nothing was repaired')
  expect((await verify('--repair', '--force')).status).toBe(0)
})

test.each([
  [['--older-than=soon'], '--older-than must be a duration'],
  [['--limit=0'], '--limit must be a whole number'],
  [['--limit', '-1'], "Option '--limit' argument is ambiguous (see svcd verify --help)"],
  [['now'], 'unexpected argument: now'],
])('%j is refused', async (args, reason) => {
  const { status, stderr } = await verify(...args)
  expect(status).toBe(2)
  expect(stderr).toContain(reason)
})
