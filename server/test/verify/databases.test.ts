import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verify } from '../../src/core/verify/verify.ts'
import { fileBackend } from '../../src/data/file.ts'
import { withService } from '../../src/server.ts'
import { createUserToken } from '../support/accounts.ts'
import { ask } from '../support/ask.ts'
import { expectBooksRight } from '../support/figures.ts'
import { manualClock } from '../support/manual-clock.ts'
import { storedFiles } from '../support/storage.ts'
import { describeTogether } from '../support/together.ts'
import { testVerification } from './verify-suite.ts'

describeTogether('verification', (meet) => {
  testVerification('a directory', async () => {
    const server = await (await meet()).start()
    const directory = join(server.directory, 'files')
    return {
      server,
      backend: fileBackend({ directory, fsync: false }, manualClock()),
      close: () => Promise.resolve(),
    }
  })

  test('gives the places and bytes of lost files back to their uploads and owners', async () => {
    const meeting = await meet()
    const server = await meeting.start()
    const headers = { 'x-svctoken': await createUserToken(server, server.admin) }
    for (const content of ['lost', 'kept', 'also kept'])
      expect((await ask(server.url, '/a.txt', { method: 'PUT', headers, body: content })).status).toBe(200)
    const database = await meeting.beside()
    const [row] = await database.ask(`select "id" from files where "fileSize" = 4 order by "id"`)
    const backend = fileBackend({ directory: join(meeting.directory, 'files'), fsync: false }, manualClock())
    await backend.remove(String(row?.['id']))
    const report = await withService(server.config, (service) =>
      verify(service, { hashes: true, limit: 10, repair: { olderThan: 1_000, force: false } }),
    )
    expect(report.findings).toEqual([expect.objectContaining({ kind: 'lost', action: 'removed' })])
    await server.clean()
    await expectBooksRight(database, meeting)
    expect(storedFiles(meeting)).toHaveLength(2)
  })
})
