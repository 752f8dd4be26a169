import { beforeEach, expect, test } from 'vitest'
import { svcd } from '../commands/command-line.ts'
import { connectDirectly } from '../support/databases/direct-connection.ts'
import { expectCorrectCounters } from '../support/databases/correct-counters.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { startTestServer } from '../support/servers/test-server.ts'
import { begin, readListedFile, offsetOf, newTarget, patch } from './tus.ts'

let directory: string
let other: string
beforeEach(async () => {
  directory = await emptyDirectory()
  other = await emptyDirectory()
})

test('an export with an unfinished file can be imported, and the import abandons the file', async () => {
  const server = await startTestServer({ directory })
  const target = await newTarget(server, { ttl: 600 })
  const unfinished = await begin(server, target, { size: 1_000 })
  await patch(server, unfinished, 0, randomBytes(500))
  const { output } = await svcd(directory, ['export', '-'])
  expect(await offsetOf(server, unfinished)).toBe(500)
  await server.close()

  expect((await svcd(other, ['import', '-'], { input: output })).status).toBe(0)
  const there = await startTestServer({ directory: other })
  expect((await readListedFile(there, unfinished)).status).toBe('uploading')
  await there.clean()
  await there.clean()
  expect((await readListedFile(there, unfinished)).status).toBe('deleted')
  const database = await connectDirectly(there.config.metadataBackend)
  await expectCorrectCounters(database, { directory: other })
  await database.close()
  const next = await begin(there, target, { size: 0 })
  expect((await readListedFile(there, next)).status).toBe('uploaded')
  await there.close()
})
