import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filePath } from '@svc/contract'
import { verify } from '../../src/core/verify/verify.ts'
import type { Inventory } from '../../src/data/backend/inventory.ts'
import { fileBackend } from '../../src/data/file/file.ts'
import { withService } from '../../src/composition/server.ts'
import { bytesOf, inChunks } from '../support/bytes.ts'
import { createUserToken } from '../support/clients/accounts.ts'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { expectCorrectCounters } from '../support/databases/correct-counters.ts'
import { fileForm, formType } from '../support/clients/forms.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { storedFiles } from '../support/servers/server-data.ts'
import { describeCluster } from '../support/servers/cluster.ts'
import { testVerification } from './verify-suite.ts'

describeCluster('verification', (newCluster) => {
  testVerification('a directory', async () => {
    const server = await (await newCluster()).start()
    const directory = join(server.directory, 'files')
    return {
      server,
      backend: fileBackend({ directory, fsync: false }, manualClock()),
      close: () => Promise.resolve(),
    }
  })

  test('returns the entries and bytes of lost files to their uploads and owners', async () => {
    const cluster = await newCluster()
    const server = await cluster.start()
    const headers = { 'x-svctoken': await createUserToken(server, server.admin) }
    for (const content of ['lost', 'kept', 'also kept'])
      expect(
        (await sendRequest(server.url, '/a.txt', { method: 'PUT', headers, body: content })).status,
      ).toBe(200)
    const database = await cluster.connect()
    const [row] = await database.query(`select "id" from files where "fileSize" = 4 order by "id"`)
    const backend = fileBackend({ directory: join(cluster.directory, 'files'), fsync: false }, manualClock())
    await backend.remove(String(row?.['id']))
    const report = await withService(server.config, (service) =>
      verify(service, { hashes: true, limit: 10, repair: { olderThan: 1_000, force: false } }),
    )
    expect(report.findings).toEqual([expect.objectContaining({ kind: 'lost', action: 'removed' })])
    await server.clean()
    await expectCorrectCounters(database, cluster)
    expect(storedFiles(cluster)).toHaveLength(2)
  })

  test('clears bytes under the id of a declared file while its upload cannot begin', async () => {
    const cluster = await newCluster()
    const server = await cluster.start()
    const { id, uploadToken = '', files } = await server.client.createUpload({ files: [{ fileName: 'a' }] })
    const fileID = files[0]?.id ?? ''
    const send = () =>
      sendRequest(server.url, filePath(id, fileID, 'a'), {
        method: 'POST',
        headers: { 'x-uploadtoken': uploadToken, 'content-type': formType },
        body: fileForm('sent'),
      })
    const directory = join(cluster.directory, 'files')
    const backend = fileBackend({ directory, fsync: false }, manualClock())
    await backend.add(fileID, inChunks(bytesOf(5), 5), new AbortController().signal)
    const inventory = {
      ...backend.inventory,
      async quarantine(key: string) {
        expect(errorIn(await send())).toMatchObject({ code: 'file_not_missing' })
        await backend.inventory?.quarantine?.(key)
      },
    } as Inventory
    const report = await withService(
      server.config,
      (service) => verify(service, { hashes: false, limit: 10, repair: { olderThan: 1_000, force: true } }),
      { clock: manualClock(Date.UTC(2100, 0, 1)), data: { ...backend, inventory } },
    )
    const finding = { kind: 'orphaned', file: fileID, upload: id, status: 'missing', action: 'quarantined' }
    expect(report.findings).toEqual([expect.objectContaining(finding)])
    expect((await send()).status).toBe(200)
    expect((await sendRequest(server.url, filePath(id, fileID, 'a'))).text).toBe('sent')
  })
})
