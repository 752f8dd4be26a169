import type { Bench } from '../../bench.ts'
import { download, upload } from '../../clients/curl.ts'
import { interleave, timeInSeconds } from '../../measure.ts'
import type { Case } from '../../results/rows.ts'
import { startServer } from '../../processes/server-process.ts'
import { startNginx } from '../../baselines/nginx.ts'

const concurrency = 4

/** Downloads of large files, against sendfile with the same client. */
export const downloads: Case<Bench> = {
  name: 'download',
  async run(bench) {
    const { size, signal } = bench
    const file = await bench.largeFile()
    await using server = await startServer(bench)
    await using nginx = await startNginx(bench, { large: file })
    const ours = (await upload(server.url, file, signal)).url
    const theirs = nginx.urlOf('large')

    const rate = (elapsed: number) => size / 1e6 / elapsed
    const downloadOne = (url: string) => async () => rate(await download(url, size, signal))
    const downloadFour = (url: string) => async () => {
      const all = () => Promise.all(Array.from({ length: concurrency }, () => download(url, size, signal)))
      return rate((await timeInSeconds(all)) / concurrency)
    }
    await downloadOne(theirs)()
    await downloadOne(ours)()
    const single = await interleave({ baseline: downloadOne(theirs), ours: downloadOne(ours) })
    const parallel = await interleave({ baseline: downloadFour(theirs), ours: downloadFour(ours) })
    return [
      {
        kind: 'comparison',
        what: 'download of a large file',
        unit: 'MB/s',
        ours: single.ours,
        baseline: { name: 'nginx sendfile', measurements: single.baseline },
        atLeast: 0.8,
      },
      {
        kind: 'comparison',
        what: 'four downloads at once, in total',
        unit: 'MB/s',
        ours: parallel.ours,
        baseline: { name: 'nginx sendfile', measurements: parallel.baseline },
      },
    ]
  },
}
