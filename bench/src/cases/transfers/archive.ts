import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Bench } from '../../bench.ts'
import { requestsPerSecond, warmUp } from '../../clients/wrk.ts'
import { interleave } from '../../measure.ts'
import type { Case } from '../../results/rows.ts'
import { startServer } from '../../processes/server-process.ts'
import { request, storeFiles } from '../../stored.ts'
import { startNginx } from '../../baselines/nginx.ts'

const files = { count: 1_000, content: 'x'.repeat(1024) }
const connections = 2

/** An archive that is generated for each download, against nginx with the finished archive. */
export const archive: Case<Bench> = {
  name: 'archive',
  async run(bench) {
    const { signal } = bench
    await using server = await startServer(bench)
    const { uploadID } = await storeFiles(server, files, signal)
    const ours = { url: `${server.url}archive/${uploadID}/all.zip`, connections }
    const finished = path.join(await bench.newDirectory('archive'), 'all.zip')
    await writeFile(finished, await (await request(ours.url, { signal })).bytes())
    await using nginx = await startNginx(bench, { archive: finished })
    const theirs = { url: nginx.urlOf('archive'), connections }
    await warmUp(theirs, signal)
    await warmUp(ours, signal)
    const measurements = await interleave({
      baseline: () => requestsPerSecond(theirs, signal),
      ours: () => requestsPerSecond(ours, signal),
    })
    return [
      {
        kind: 'comparison',
        what: 'archive of 1,000 files of 1 KiB',
        unit: 'archives/s',
        ours: measurements.ours,
        baseline: { name: 'nginx, made before', measurements: measurements.baseline },
      },
    ]
  },
}
