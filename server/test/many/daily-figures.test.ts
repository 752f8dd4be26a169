import type { DailyStats } from '@svc/contract'
import { expect, test } from 'vitest'
import { ask, jsonIn } from '../support/ask.ts'
import { manualClock } from '../support/manual-clock.ts'
import { storeUpload } from '../support/stored-upload.ts'
import { describeTogether } from '../support/together.ts'
import { until } from '../support/until.ts'
import { call, type Site } from '../accounts/site.ts'

const figures = async (site: Site) => {
  const stats = jsonIn(await call(site, 'GET /stats/daily', { as: site.admin })) as DailyStats
  const { uploads = 0, downloads = 0, bytesOut = 0 } = stats.days.at(-1) ?? {}
  const ofSizes = stats.fileSizes.reduce((sum, { files }) => sum + files, 0)
  return { uploads, downloads, bytesOut, ofSizes }
}

describeTogether('the figures of a day', (meet) => {
  test('are those of all servers, and stay when these stop', async () => {
    const meeting = await meet()
    const clock = manualClock()
    const pair = [await meeting.start({ clock }), await meeting.start({ clock })] as const
    for (const [index, site] of pair.entries()) {
      const { path } = await storeUpload(site, 'x'.repeat(10))
      await storeUpload(site)
      for (let times = 0; times <= index; times += 1) await ask(site.url, path)
    }
    const all = { uploads: 4, downloads: 3, bytesOut: 30, ofSizes: 4 }
    // Each tells what it has counted itself, and the others have added within a minute.
    expect((await figures(pair[0])).uploads).toBe(2)
    clock.advance(60_000)
    await until('both have written', async () => (await figures(pair[0])).uploads === 4)
    expect(await figures(pair[1])).toEqual(all)

    await storeUpload(pair[1])
    for (const site of pair) await site.close()
    const next = await meeting.start({ clock })
    expect(await figures(next)).toEqual({ ...all, uploads: 5, ofSizes: 5 })
  })
})
