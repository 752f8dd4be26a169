import { setTimeout as wait } from 'node:timers/promises'
import { ageScheme, manifestName } from '@svc/contract'
import type { Bench } from '../../bench.ts'
import { startPacedRequests } from '../../clients/paced.ts'
import { countRequests } from '../../clients/wrk.ts'
import { interleave, median } from '../../measure.ts'
import { shareOf } from '../../processes/profile.ts'
import { startServer, type ServerProcess } from '../../processes/server-process.ts'
import type { Case, Comparison, Row } from '../../results/rows.ts'
import { storeFiles } from '../../stored.ts'

/** A kilobyte that begins as an encrypted file does: the server checks that. */
const content = 'age-encryption.org/v1\n'.padEnd(1_000, 'x')

/** As long as the name of a manifest, whose downloads are not recorded. The files differ in nothing else. */
const names = { recorded: 'svc-manifests.age', unrecorded: manifestName }

/** Seconds of load in a measurement. */
const duration = 10

/** Seconds without load at the end of each: the recorded downloads are written every five. */
const flush = 6

/** The most downloads of an upload that one write stores are 200, so all of these are stored. */
const uploads = 10
const perSecond = 40

/** The part of the processor time of a download that recording may take. */
const most = 0.03

type Work = () => Promise<number>

interface Contestant {
  readonly server: ServerProcess
  readonly addresses: readonly string[]
}

/**
 * What it costs to record each download, against downloads of a manifest, which take the same path and are not recorded.
 * Both are of one server: two processes that do the same differ by 10 % and more.
 */
export const activity: Case<Bench> = {
  name: 'activity',
  isLong: true,
  async run(bench) {
    await using server = await startServer(bench)
    const ours = await contestantOf(server, names.recorded, bench.signal)
    const theirs = await contestantOf(server, names.unrecorded, bench.signal)
    const fastest = await compare('download of 1 kB of one upload, as fast as possible', {
      ours: () => fullLoad(ours, bench.signal),
      theirs: () => fullLoad(theirs, bench.signal),
    })
    const total = String(uploads * perSecond)
    const stored = await compare(`${total} downloads a second of ${String(uploads)} uploads, each stored`, {
      ours: () => fixedLoad(ours, bench.signal),
      theirs: () => fixedLoad(theirs, bench.signal),
    })
    const profile = await server.profile(() => fullLoad(ours, bench.signal))
    const share: Row = {
      kind: 'measurement',
      what: 'part of the time of the main thread, by a profile',
      unit: '%',
      value: 100 * shareOf(profile, /^src\/core\/activity\//),
      atMost: 100 * most,
    }
    return [{ ...fastest, atLeast: 1 - most }, share, stored, addedTime(stored)]
  },
}

async function contestantOf(server: ServerProcess, name: string, signal: AbortSignal): Promise<Contestant> {
  const addresses: string[] = []
  for (let made = 0; made < uploads; made += 1) {
    const { fileURL } = await storeFiles(server, { count: 1, content, e2ee: ageScheme, name }, signal)
    addresses.push(fileURL)
  }
  return { server, addresses }
}

/** Compares processor time, after one measurement of each that does not count. */
async function compare(
  what: string,
  { ours, theirs }: { readonly ours: Work; readonly theirs: Work },
): Promise<Comparison> {
  await theirs()
  await ours()
  const measurements = await interleave({ baseline: theirs, ours })
  return {
    kind: 'comparison',
    what: `${what}, by processor time`,
    unit: 'requests/s',
    ours: measurements.ours,
    baseline: { name: 'not recorded', measurements: measurements.baseline },
  }
}

/** The processor time that recording adds to a download. */
const addedTime = ({ ours, baseline }: Comparison): Row => ({
  kind: 'measurement',
  what: 'recording one of them',
  unit: 'µs',
  value: median(ours.map((rate, round) => 1e6 / rate - 1e6 / (baseline.measurements[round] ?? NaN))),
})

/** @returns requests for each second of processor time of the server */
async function fullLoad({ server, addresses: [url = ''] }: Contestant, signal: AbortSignal): Promise<number> {
  return await perProcessorSecond(server, signal, () => countRequests({ url }, duration, signal))
}

/** @returns requests for each second of processor time of the server */
async function fixedLoad({ server, addresses }: Contestant, signal: AbortSignal): Promise<number> {
  return await perProcessorSecond(server, signal, async () => {
    const requests = startPacedRequests(Object.fromEntries(addresses.entries()), 1_000 / perSecond)
    await wait(duration * 1_000, undefined, { signal })
    await requests.stop()
    return duration * perSecond * uploads
  })
}

/** Counts the requests of a load, and the processor time of the server until it has written what it recorded. */
async function perProcessorSecond(server: ServerProcess, signal: AbortSignal, load: Work): Promise<number> {
  const before = await server.processorTime()
  const requests = await load()
  await wait(flush * 1_000, undefined, { signal })
  return requests / ((await server.processorTime()) - before)
}
