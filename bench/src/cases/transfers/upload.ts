import type { Bench } from '../../bench.ts'
import { upload } from '../../clients/curl.ts'
import { interleave, timeInSeconds } from '../../measure.ts'
import type { Case } from '../../results/rows.ts'
import { startServer, type ResourceUsage } from '../../processes/server-process.ts'
import { removeUploads } from '../../stored.ts'
import { copySeconds } from '../../baselines/copy.ts'
import { md5Seconds } from '../../baselines/md5.ts'

const concurrency = 4

/**
 * Uploads of large files. Every byte is hashed with md5, so the md5 of one processor is the baseline for one
 * upload.
 */
export const uploads: Case<Bench> = {
  name: 'upload',
  async run(bench) {
    const { size, signal } = bench
    const file = await bench.largeFile()
    await using server = await startServer(bench)
    const usages: ResourceUsage[] = []

    const rate = (elapsed: number) => size / 1e6 / elapsed
    const md5 = async () => rate(await md5Seconds(file, signal))
    const copy = async () => rate(await copySeconds(bench, file))
    const uploadOnce = async () => {
      const sent = await upload(server.url, file, signal)
      await removeUploads(server, [sent], signal)
      return rate(sent.seconds)
    }
    const four = async () => {
      const send = () =>
        Promise.all(Array.from({ length: concurrency }, () => upload(server.url, file, signal)))
      let sent: Awaited<ReturnType<typeof send>> = []
      let elapsed = NaN
      const work = async () => {
        elapsed = await timeInSeconds(async () => (sent = await send()))
      }
      usages.push(await server.measureUsage(work))
      await removeUploads(server, sent, signal)
      return rate(elapsed / concurrency)
    }
    await uploadOnce()
    const single = await interleave({ md5, copy, ours: uploadOnce })
    const parallel = await interleave({ md5, ours: four })
    return [
      {
        kind: 'comparison',
        what: 'upload of a large file',
        unit: 'MB/s',
        ours: single.ours,
        baseline: { name: 'md5 on one processor', measurements: single.md5 },
        atLeast: 0.65,
      },
      {
        kind: 'comparison',
        what: 'upload of a large file',
        unit: 'MB/s',
        ours: single.ours,
        baseline: { name: '`cp`, not flushed', measurements: single.copy },
      },
      {
        kind: 'comparison',
        what: 'four uploads at once, in total',
        unit: 'MB/s',
        ours: parallel.ours,
        baseline: { name: 'md5 on one processor', measurements: parallel.md5 },
        atLeast: 0.9,
      },
      {
        kind: 'measurement',
        what: 'event-loop delay (p99) during four uploads',
        unit: 'ms',
        value: Math.max(...usages.map(({ loop }) => loop.p99)),
        atMost: 30,
      },
      {
        kind: 'measurement',
        what: 'peak memory during four uploads',
        unit: 'MB',
        value: Math.max(...usages.map(({ peakMemory }) => peakMemory)) / 1e6,
      },
    ]
  },
}
