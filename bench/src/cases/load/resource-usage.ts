import { setTimeout as wait } from 'node:timers/promises'
import type { Bench } from '../../bench.ts'
import { download, upload } from '../../clients/curl.ts'
import { startSlowReaders } from '../../clients/slow-reader.ts'
import { countRequests } from '../../clients/wrk.ts'
import type { Measurement, Case } from '../../results/rows.ts'
import { startServer, type ResourceUsage, type ServerProcess } from '../../processes/server-process.ts'
import { smallRequests } from './requests.ts'

const megabyte = 1e6

/** Peak memory with its bound, and the delay of the event loop. */
const rowsOf = (
  during: string,
  { loop, peakMemory }: ResourceUsage,
  atMost: number,
): readonly Measurement[] => [
  {
    kind: 'measurement',
    what: `peak memory, ${during}`,
    unit: 'MB',
    value: peakMemory / megabyte,
    atMost,
  },
  { kind: 'measurement', what: `event-loop delay (p99), ${during}`, unit: 'ms', value: loop.p99 },
]

const idleMs = 3_000

/** An idle server after its start. */
export const idle: Case<Bench> = {
  name: 'idle',
  async run(bench) {
    await using server = await startServer(bench)
    const usage = await server.measureUsage(() => wait(idleMs, undefined, { signal: bench.signal }))
    return rowsOf('idle', usage, 100)
  },
}

const eachWay = 4

/** Transfers large files in both directions at once. */
async function transferBothWays({ size, signal, largeFile }: Bench, server: ServerProcess): Promise<void> {
  const file = await largeFile()
  const { url } = await upload(server.url, file, signal)
  const bothWays = Array.from({ length: eachWay }, () => [
    upload(server.url, file, signal),
    download(url, size, signal),
  ])
  await Promise.all(bothWays.flat())
}

/** Large files in both directions at once. */
export const transfers: Case<Bench> = {
  name: 'transfers',
  async run(bench) {
    await using server = await startServer(bench)
    const usage = await server.measureUsage(() => transferBothWays(bench, server))
    return rowsOf('four uploads and four downloads', usage, 250)
  },
}

const floodSeconds = 5
const restMs = 30_000

/** A day in a minute: large files in both directions, then many of each small request, then rest. */
export const mixed: Case<Bench> = {
  name: 'mixed',
  async run(bench) {
    const { signal } = bench
    await using server = await startServer(bench)
    const usage = await server.measureUsage(async () => {
      await transferBothWays(bench, server)
      for (const [, makeLoad] of smallRequests)
        await countRequests(await makeLoad(bench, server), floodSeconds, signal)
    })
    await wait(restMs, undefined, { signal })
    const kinds = Object.entries(await server.memory())
    const atRest = kinds.reduce((sum, [, bytes]) => sum + bytes, 0)
    return [
      ...rowsOf('large files, then small requests', usage, 150),
      {
        kind: 'measurement',
        what: 'memory at rest, after them',
        unit: 'MB',
        value: atRest / megabyte,
        atMost: 90,
      },
      ...kinds.map(([kind, bytes]): Measurement => ({
        kind: 'measurement',
        what: `of it: ${kind}`,
        unit: 'MB',
        value: bytes / megabyte,
      })),
    ]
  },
}

const slow = { count: 500, bytesPerSecond: 4 * 1024 }
const slowMs = 15_000

/** Many slow downloads. */
export const slowDownloads: Case<Bench> = {
  name: 'slow-downloads',
  async run(bench) {
    const { signal } = bench
    const file = await bench.largeFile()
    await using server = await startServer(bench)
    const { url } = await upload(server.url, file, signal)
    let served = 0
    const usage = await server.measureUsage(async () => {
      using readers = await startSlowReaders(url, slow)
      await wait(slowMs, undefined, { signal })
      served = readers.servedCount()
    })
    if (served < slow.count)
      throw new Error(`${String(served)} of ${String(slow.count)} slow downloads continued`)
    return rowsOf('500 slow downloads', usage, 350)
  },
}
