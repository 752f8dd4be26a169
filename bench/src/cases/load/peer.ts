import type { Bench } from '../../bench.ts'
import { download, upload } from '../../clients/curl.ts'
import { requestsPerSecond, warmUp } from '../../clients/wrk.ts'
import { interleave } from '../../measure.ts'
import type { Case, Comparison } from '../../results/rows.ts'
import { startServer, type ServerProcess } from '../../processes/server-process.ts'
import { removeUploads } from '../../stored.ts'
import { UsageError } from '../../options.ts'
import { smallRequests, type MakeLoad } from './requests.ts'

/** A server to compare: ours, or the peer, of which only the address is known. */
type Contestant = Pick<ServerProcess, 'url'>

/** Every small request and large transfers beside another server of this protocol, with the same clients. */
export const peer: Case<Bench> = {
  name: 'peer',
  needsPeer: true,
  async run(bench) {
    if (bench.peer === null) throw new UsageError('the case peer needs --peer URL')
    const theirs = { url: bench.peer }
    await using ours = await startServer(bench)
    const rows: Comparison[] = []
    for (const [what, makeLoad] of smallRequests)
      rows.push(await compareRequests(bench, what, { ours, theirs, makeLoad }))
    return [...rows, ...(await compareTransfers(bench, ours, theirs))]
  },
}

interface Both {
  readonly ours: Contestant
  readonly theirs: Contestant
  readonly makeLoad: MakeLoad
}

async function compareRequests(bench: Bench, what: string, { makeLoad, ...both }: Both): Promise<Comparison> {
  const { signal } = bench
  const ours = await makeLoad(bench, both.ours)
  const theirs = await makeLoad(bench, both.theirs)
  await warmUp(theirs, signal)
  await warmUp(ours, signal)
  const measurements = await interleave({
    theirs: () => requestsPerSecond(theirs, signal),
    ours: () => requestsPerSecond(ours, signal),
  })
  return rowOf(what, 'requests/s', measurements)
}

async function compareTransfers(
  bench: Bench,
  ours: ServerProcess,
  theirs: Contestant,
): Promise<readonly Comparison[]> {
  const { size, signal } = bench
  const file = await bench.largeFile()
  const rate = (elapsed: number) => size / 1e6 / elapsed
  const sending =
    ({ url }: Contestant) =>
    async () => {
      const sent = await upload(url, file, signal)
      await removeUploads({ url, clean: ours.clean }, [sent], signal)
      return rate(sent.seconds)
    }
  const uploads = await interleave({ theirs: sending(theirs), ours: sending(ours) })
  const stored = {
    ours: await upload(ours.url, file, signal),
    theirs: await upload(theirs.url, file, signal),
  }
  const downloads = await interleave({
    theirs: async () => rate(await download(stored.theirs.url, size, signal)),
    ours: async () => rate(await download(stored.ours.url, size, signal)),
  })
  return [
    rowOf('upload of a large file', 'MB/s', uploads),
    rowOf('download of a large file', 'MB/s', downloads),
  ]
}

const rowOf = (
  what: string,
  unit: Comparison['unit'],
  { ours, theirs }: Readonly<Record<'ours' | 'theirs', readonly number[]>>,
): Comparison => ({
  kind: 'comparison',
  what,
  unit,
  ours,
  baseline: { name: 'the peer', measurements: theirs },
  atLeast: 1,
})
