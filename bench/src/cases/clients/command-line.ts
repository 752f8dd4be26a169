import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Bench } from '../../bench.ts'
import { createKey, svcProgram } from '../../clients/svc.ts'
import { run } from '../../processes/child.ts'
import { upload } from '../../clients/curl.ts'
import { endedProcessorSeconds } from '../../processes/processor.ts'
import { interleave, timeInSeconds } from '../../measure.ts'
import type { Case, Comparison } from '../../results/rows.ts'
import { startServer } from '../../processes/server-process.ts'
import { removeUploads } from '../../stored.ts'

interface Output {
  readonly id: string
  readonly uploadToken: string
  readonly files: readonly [{ readonly url: string }]
}

/** The command-line client against the usual commands: whole processes, from start to end. */
export const commandLine: Case<Bench> = {
  name: 'command-line',
  async run(bench) {
    const { size, signal } = bench
    const file = await bench.largeFile()
    const folder = await bench.newDirectory('command-line')
    await using server = await startServer(bench)
    const at = (name: string) => path.join(folder, name)
    const recipient = await createKey(at('key'), signal)

    const env = { ...process.env, HOME: folder, SVC_SERVER: server.url }
    const svc = (...args: readonly string[]) => run(process.execPath, [svcProgram, ...args], { signal, env })
    const shell = (command: string) => run('sh', ['-c', command], { signal, cwd: folder })
    const rate = async (work: () => Promise<unknown>) => size / 1e6 / (await timeInSeconds(work))
    /** MB for each second of processor time of the programs of a download, by round. */
    const byProcessor = { age: [], decrypted: [], decryptedVerified: [] } as Record<
      'age' | 'decrypted' | 'decryptedVerified',
      number[]
    >
    /**
     * Downloads into a new file.
     * @param processor gets the MB for each second of processor time
     */
    const download = (work: () => Promise<unknown>, processor?: number[]) => async () => {
      const before = await endedProcessorSeconds()
      const measurement = await rate(work)
      processor?.push(size / 1e6 / ((await endedProcessorSeconds()) - before))
      await rm(at('out'))
      return measurement
    }
    /** Uploads, and removes the upload. */
    const send = (work: () => Promise<Pick<Output, 'id' | 'uploadToken'>>) => async () => {
      let sent: Pick<Output, 'id' | 'uploadToken'> | undefined
      const measurement = await rate(async () => (sent = await work()))
      if (sent) await removeUploads(server, [{ uploadID: sent.id, uploadToken: sent.uploadToken }], signal)
      return measurement
    }
    const output = async (...args: readonly string[]) => JSON.parse(await svc(...args, '--json')) as Output
    const quick = async (command: string) => {
      const [id = '', uploadToken = ''] = (await shell(command)).trim().split(' ')
      return { id, uploadToken }
    }

    const plainURL = (await upload(server.url, file, signal)).url
    const encryptedURL = (await output(file, '--recipient', recipient)).files[0].url
    const get = (link: string, ...more: string[]) => download(() => getOnce(link, ...more))
    const getOnce = (link: string, ...more: string[]) => svc('get', link, '-q', '-o', at('out'), ...more)
    const report = `-w '%header{x-uploadid} %header{x-uploadtoken}' -o /dev/null`
    const downloads = await interleave({
      curl: download(() => shell(`curl -sS -f -o out '${plainURL}'`)),
      unverified: get(plainURL, '--no-verify'),
      verified: get(plainURL),
      age: download(() => shell(`curl -sS -f '${encryptedURL}' | age -d -i key -o out`), byProcessor.age),
      decrypted: download(() => getOnce(encryptedURL, '-i', at('key'), '--no-verify'), byProcessor.decrypted),
      decryptedVerified: download(
        () => getOnce(encryptedURL, '-i', at('key')),
        byProcessor.decryptedVerified,
      ),
    })
    const uploads = await interleave({
      curl: send(() => quick(`curl -sS -f ${report} -F 'file=@${file}' '${server.url}'`)),
      plain: send(() => output(file)),
      age: send(() =>
        // As a form, curl would keep all of standard input in memory, 1 GiB at most.
        quick(`age -r ${recipient} '${file}' | curl -sS -f ${report} -T - '${server.url}large.bin.age'`),
      ),
      encrypted: send(() => output(file, '--recipient', recipient)),
    })
    const row = (
      what: string,
      ours: readonly number[],
      baseline: Comparison['baseline'],
      atLeast?: number,
    ): Comparison => ({
      kind: 'comparison',
      what,
      unit: 'MB/s',
      ours,
      baseline,
      ...(atLeast !== undefined && { atLeast }),
    })
    const curlGet = { name: '`curl -o`', measurements: downloads.curl }
    const ageGet = { name: '`curl` into `age -d`', measurements: downloads.age }
    const ageProcessor = { ...ageGet, measurements: byProcessor.age }
    // 1.25 and 2 times the wall time, as rates.
    return [
      row('`svc get --no-verify` of a large file', downloads.unverified, curlGet, 1 / 1.25),
      row('`svc get` of a large file', downloads.verified, curlGet, 1 / 2),
      row('`svc get --no-verify` of an encrypted one', downloads.decrypted, ageGet, 1),
      row('`svc get` of an encrypted one', downloads.decryptedVerified, ageGet, 1),
      row(
        '`svc get --no-verify` of an encrypted one, by processor time',
        byProcessor.decrypted,
        ageProcessor,
        1,
      ),
      row('`svc get` of an encrypted one, by processor time', byProcessor.decryptedVerified, ageProcessor, 1),
      row(
        '`svc` sends a large file',
        uploads.plain,
        { name: '`curl -F`', measurements: uploads.curl },
        1 / 1.25,
      ),
      row('`svc -s` sends it encrypted', uploads.encrypted, {
        name: '`age` into `curl -T`',
        measurements: uploads.age,
      }),
    ]
  },
}
