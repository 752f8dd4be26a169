import type { Bench } from '../../bench.ts'
import { requestsPerSecond, warmUp } from '../../clients/wrk.ts'
import { interleave } from '../../measure.ts'
import type { Case, Row } from '../../results/rows.ts'
import { startServer } from '../../processes/server-process.ts'
import { creations, quickUploads, type MakeLoad } from './requests.ts'

/** The cost of `FsyncUploads`: an upload survives a power cut once it has its response. */
export const durability: Case<Bench> = {
  name: 'durability',
  run: async (bench) => [
    await compare(bench, { what: '`POST /upload`, durable', load: creations, atLeast: 0.9 }),
    await compare(bench, { what: 'quick upload of 1 KiB, durable', load: quickUploads, atLeast: 0.8 }),
  ],
}

interface DurableRequest {
  readonly what: string
  readonly load: MakeLoad
  readonly atLeast: number
}

async function compare(bench: Bench, { what, load, atLeast }: DurableRequest): Promise<Row> {
  const { signal } = bench
  await using durable = await startServer(bench)
  await using other = await startServer(bench, { SVCD_FSYNC_UPLOADS: 'false' })
  const ours = await load(bench, durable)
  const theirs = await load(bench, other)
  await warmUp(theirs, signal)
  await warmUp(ours, signal)
  const measurements = await interleave({
    baseline: () => requestsPerSecond(theirs, signal),
    ours: () => requestsPerSecond(ours, signal),
  })
  return {
    kind: 'comparison',
    what,
    unit: 'requests/s',
    ours: measurements.ours,
    baseline: { name: 'without `FsyncUploads`', measurements: measurements.baseline },
    atLeast,
  }
}
