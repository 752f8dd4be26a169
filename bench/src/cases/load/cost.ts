import type { Bench } from '../../bench.ts'
import { countRequests, type Load } from '../../clients/wrk.ts'
import { interleave } from '../../measure.ts'
import type { Case, Comparison } from '../../results/rows.ts'
import { startServer } from '../../processes/server-process.ts'
import { startBareFastify } from '../../baselines/bare-fastify.ts'
import { smallRequests, type MakeLoad } from './requests.ts'

/** The duration of a measurement in seconds. Processor time varies little, and has a resolution of 10 ms. */
const duration = 1

/** The smallest accepted ratios: 20 % below the measured ones of November 2026, 30 % for quick uploads, which vary more. */
const atLeast: Readonly<Record<(typeof smallRequests)[number][0], number>> = {
  '`GET /health`': 0.66,
  '`GET /config`': 0.55,
  '`GET /upload/{id}`': 0.28,
  'download of 1 KiB': 0.18,
  '`POST /upload`': 0.1,
  'quick upload of 1 KiB': 0.015,
}

interface Contestant {
  readonly load: Load
  readonly processorTime: () => Promise<number>
}

/**
 * Requests for each second of processor time, of all threads. Other programs on the machine change this less than they change
 * requests per second, so that it shows a loss also where others work.
 */
export const cost: Case<Bench> = {
  name: 'cost',
  async run(bench) {
    await using bare = await startBareFastify(bench.signal)
    const baseline = { load: { url: bare.url }, processorTime: bare.processorTime }
    await warmUp(baseline, bench.signal)
    const rows: Comparison[] = []
    for (const [what, makeLoad] of smallRequests)
      rows.push(await compare(bench, { what, makeLoad, baseline, atLeast: atLeast[what] }))
    return rows
  },
}

interface Cost {
  readonly what: string
  readonly makeLoad: MakeLoad
  readonly baseline: Contestant
  readonly atLeast: number
}

async function compare(bench: Bench, { what, makeLoad, baseline, ...row }: Cost): Promise<Comparison> {
  const { signal } = bench
  await using server = await startServer(bench)
  const ours = { load: await makeLoad(bench, server), processorTime: server.processorTime }
  await warmUp(ours, signal)
  const measurements = await interleave({
    baseline: () => perProcessorSecond(baseline, signal),
    ours: () => perProcessorSecond(ours, signal),
  })
  return {
    kind: 'comparison',
    what: `${what}, by processor time`,
    unit: 'requests/s',
    ours: measurements.ours,
    baseline: { name: 'bare Fastify', measurements: measurements.baseline },
    ...row,
  }
}

/** Seconds of processor time after which the hot paths are compiled. */
const warmAfter = 3

async function warmUp({ load, processorTime }: Contestant, signal: AbortSignal): Promise<void> {
  const end = (await processorTime()) + warmAfter
  while ((await processorTime()) < end) await countRequests(load, duration, signal)
}

async function perProcessorSecond({ load, processorTime }: Contestant, signal: AbortSignal): Promise<number> {
  const before = await processorTime()
  const requests = await countRequests(load, duration, signal)
  return requests / ((await processorTime()) - before)
}
