import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Bench } from '../../bench.ts'
import { svcProgram } from '../../clients/svc.ts'
import { interleave, timeInSeconds } from '../../measure.ts'
import { run } from '../../processes/child.ts'
import { startServer } from '../../processes/server-process.ts'
import type { Case, Comparison } from '../../results/rows.ts'
import { removeUploads } from '../../stored.ts'

const count = 5_000
const bytes = 1_000

interface Created {
  readonly id: string
  readonly uploadToken: string
}

/** A folder with thousands of small files as one archive: what is lost to the usual commands, and to a copy without a server. */
export const folderAsTar: Case<Bench> = {
  name: 'folder-as-tar',
  async run(bench) {
    const { signal } = bench
    const folder = await bench.newDirectory('folder-as-tar')
    await mkdir(path.join(folder, 'source'))
    for (let index = 0; index < count; index += 1)
      await writeFile(path.join(folder, 'source', `${String(index)}.bin`), randomBytes(bytes))
    await using server = await startServer(bench)
    const env = { ...process.env, HOME: folder, SVC_SERVER: server.url }
    const shell = (command: string) => run('bash', ['-o', 'pipefail', '-c', command], { signal, cwd: folder })
    const rate = async (work: () => Promise<unknown>) => count / (await timeInSeconds(work))
    const sent = async (send: () => Promise<Created>) => {
      let upload: Created | undefined
      const measurement = await rate(async () => (upload = await send()))
      if (upload)
        await removeUploads(server, [{ uploadID: upload.id, uploadToken: upload.uploadToken }], signal)
      return measurement
    }
    const report = `-w '%header{x-uploadid} %header{x-uploadtoken}' -o /dev/null`
    const measured = await interleave({
      copy: async () => {
        await mkdir(path.join(folder, 'copy'))
        const measurement = await rate(() => shell('tar c source | tar x -C copy'))
        await rm(path.join(folder, 'copy'), { recursive: true })
        return measurement
      },
      curl: () =>
        sent(async () => {
          const output = await shell(`tar c source | curl -sS -f ${report} -T - '${server.url}source.tar'`)
          const [id = '', uploadToken = ''] = output.trim().split(' ')
          return { id, uploadToken }
        }),
      svc: () =>
        sent(async () => {
          const args = [svcProgram, '-a', 'tar', 'source', '--json']
          return JSON.parse(await run(process.execPath, args, { signal, env, cwd: folder })) as Created
        }),
    })
    const row = (name: string, measurements: readonly number[]): Comparison => ({
      kind: 'comparison',
      what: '`svc -a tar` sends a folder of 5,000 files of 1 kB',
      unit: 'files/s',
      ours: measured.svc,
      baseline: { name, measurements },
    })
    return [row('`tar c` into `curl -T -`', measured.curl), row('`tar c` into `tar x`', measured.copy)]
  },
}
