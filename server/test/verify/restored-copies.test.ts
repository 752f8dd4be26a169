import { expect, onTestFinished, test } from 'vitest'
import type { MetadataBackendConfig } from '../../src/config/config.ts'
import { svcd } from '../commands/command-line.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { storedFiles } from '../support/servers/server-data.ts'
import { storeUpload, type StoredUpload } from '../support/clients/stored-upload.ts'
import { startTestServer } from '../support/servers/test-server.ts'
import { describeCluster } from '../support/servers/cluster.ts'

/** Long after everything that is stored was written. */
const later = manualClock(Date.UTC(2100, 0, 1))

const environmentOf = ({ driver, connectionString }: MetadataBackendConfig) => ({
  SVCD_METADATA_BACKEND_CONFIG_DRIVER: driver,
  SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING: connectionString,
})

const idsOf = (uploads: readonly StoredUpload[]) => uploads.map(({ file }) => file.id).sort()

describeCluster('a database that is restored from an earlier copy', (newCluster) => {
  test('differs from the store both ways: verification lists the differences and repairs them', async () => {
    const cluster = await newCluster()
    const { directory } = cluster
    // Without accounts: the admin's password is hashed cheaper in tests than an import takes.
    const server = await startTestServer({ directory, config: { metadataBackend: cluster.database } })
    onTestFinished(() => server.close())
    const store = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, n) => storeUpload(server, `content ${String(n)}`)))
    const [kept, removed] = [await store(12), await store(3)]
    const copy = await svcd(directory, ['export', '-'], { environment: environmentOf(cluster.database) })
    for (const { upload, uploadToken } of removed)
      await server.client.removeUpload(upload.id, { uploadToken })
    await server.clean()
    const added = await store(4)
    expect(storedFiles(cluster)).toEqual([...idsOf(kept), ...idsOf(added)].sort())

    const restored = await newCluster()
    const environment = environmentOf(restored.database)
    const imported = await svcd(directory, ['import', '-'], { environment, input: copy.output })
    expect(imported).toMatchObject({ status: 0, stderr: '' })
    const verify = async (...args: string[]) => {
      const { output } = await svcd(directory, ['verify', '--json', ...args], { environment, clock: later })
      return JSON.parse(output) as {
        readonly findings: readonly { readonly kind: string; readonly file: string }[]
        readonly left: unknown
      }
    }
    const listed = (await verify()).findings.map(({ kind, file }) => `${kind} ${file}`)
    expect(listed.sort()).toEqual(
      [...idsOf(removed).map((id) => `lost ${id}`), ...idsOf(added).map((id) => `orphaned ${id}`)].sort(),
    )
    const none = { lost: 0, wrong_size: 0, wrong_hash: 0, orphaned: 0, unfinished: 0, unreadable: 0 }
    expect((await verify('--repair')).left).toEqual(none)

    const restoredServer = await startTestServer({
      directory,
      config: { metadataBackend: restored.database },
    })
    onTestFinished(() => restoredServer.close())
    await restoredServer.clean()
    for (const { path } of kept) expect((await sendRequest(restoredServer.url, path)).status).toBe(200)
    for (const { path } of [...removed, ...added])
      expect((await sendRequest(restoredServer.url, path)).status).toBe(404)
    expect((await verify()).findings).toEqual([])
    const stats = await svcd(directory, ['stats', '--recount', '--json'], { environment })
    const right = { uploads: 0, users: 0, counters: 0 }
    expect(JSON.parse(stats.output)).toMatchObject({ files: kept.length, corrected: right })
  })
})
