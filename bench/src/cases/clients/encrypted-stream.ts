import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Bench } from '../../bench.ts'
import { createKey, svcProgram } from '../../clients/svc.ts'
import { firstMatch, run, start } from '../../processes/child.ts'
import { startServer } from '../../processes/server-process.ts'
import { interleave, timeInSeconds } from '../../measure.ts'
import type { Case } from '../../results/rows.ts'
import { isInstalled } from '../../tools.ts'

/** The phrase that croc shares between the two sides. */
const secret = '1234-alpha-beta-gamma'

const what = 'an encrypted stream through a server'

/** A large file that is streamed to a recipient, end-to-end encrypted, against croc with its relay: both sides, whole processes. */
export const encryptedStream: Case<Bench> = {
  name: 'encrypted-stream',
  async run(bench) {
    const { size, signal } = bench
    if (!isInstalled('croc', process.env['PATH'] ?? ''))
      return [
        { kind: 'unmeasured', what, reason: 'needs croc: go install github.com/schollz/croc/v10@latest' },
      ]
    const file = await bench.largeFile()
    const folder = await bench.newDirectory('encrypted-stream')
    const recipient = await createKey(path.join(folder, 'key'), signal)
    await using server = await startServer(bench)
    await using relay = start('sh', ['-c', 'exec croc relay --host 127.0.0.1 2>&1'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await firstMatch(relay, /starting TCP server on (\S+:9013)/, signal)

    const env = { ...process.env, HOME: folder, SVC_SERVER: server.url, CROC_SECRET: secret }
    /**
     * The rate in MB/s from start to end of both commands.
     * @param send prints a line that `ready` matches
     * @param receive makes the recipient's command from it
     */
    const rate = async (send: string, ready: RegExp, receive: (found: string) => string) => {
      await mkdir(path.join(folder, 'out'))
      const elapsed = await timeInSeconds(async () => {
        await using sender = start('sh', ['-c', `exec ${send}`], { env, stdio: ['ignore', 'pipe', 'ignore'] })
        const ended = once(sender.child, 'exit')
        const found = await firstMatch(sender, ready, signal)
        await run('sh', ['-c', `exec ${receive(found)}`], { env, signal, cwd: folder })
        await ended
      })
      await rm(path.join(folder, 'out'), { recursive: true })
      return size / 1e6 / elapsed
    }
    const svc = `'${process.execPath}' '${svcProgram}'`
    const croc = 'croc --relay 127.0.0.1:9009 --no-compress --ignore-stdin --yes'
    const { ours, crocs } = await interleave({
      ours: () =>
        rate(
          `${svc} '${file}' --stream --recipient ${recipient} 2>&1`,
          /(http\S+)/,
          (link) => `${svc} get '${link}' -i key -q -o out/`,
        ),
      crocs: () => rate(`${croc} send --no-local '${file}' 2>&1`, /(Code is)/, () => `${croc} --out out`),
    })
    return [
      {
        kind: 'comparison',
        what,
        unit: 'MB/s',
        ours,
        baseline: { name: 'croc', measurements: crocs },
        atLeast: 1,
      },
    ]
  },
}
