import type { DailyStats } from '@svc/contract'
import { expect, test } from 'vitest'
import { sendRequest, jsonIn } from '../support/clients/send-request.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { describeCluster } from '../support/servers/cluster.ts'
import { until } from '../support/until.ts'
import { call, type ServerWithAccounts } from '../support/servers/server-with-accounts.ts'

const dailyStats = async (server: ServerWithAccounts) => {
  const stats = jsonIn(await call(server, 'GET /stats/daily', { as: server.admin })) as DailyStats
  const { uploads = 0, downloads = 0, bytesOut = 0 } = stats.days.at(-1) ?? {}
  const ofSizes = stats.fileSizes.reduce((sum, { files }) => sum + files, 0)
  return { uploads, downloads, bytesOut, ofSizes }
}

describeCluster('daily stats', (newCluster) => {
  test('include those of all servers, and stay when these stop', async () => {
    const cluster = await newCluster()
    const clock = manualClock()
    const pair = [await cluster.start({ clock }), await cluster.start({ clock })] as const
    for (const [index, server] of pair.entries()) {
      const { path } = await storeUpload(server, 'x'.repeat(10))
      await storeUpload(server)
      for (let times = 0; times <= index; times += 1) await sendRequest(server.url, path)
    }
    const all = { uploads: 4, downloads: 3, bytesOut: 30, ofSizes: 4 }
    // A server shows its own counts at once, and those of the others within a minute.
    expect((await dailyStats(pair[0])).uploads).toBe(2)
    clock.advance(60_000)
    await until('both have written', async () => (await dailyStats(pair[0])).uploads === 4)
    expect(await dailyStats(pair[1])).toEqual(all)

    await storeUpload(pair[1])
    for (const server of pair) await server.close()
    const next = await cluster.start({ clock })
    expect(await dailyStats(next)).toEqual({ ...all, uploads: 5, ofSizes: 5 })
  })
})
