import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { headers as names, type Upload } from '@svc/contract'
import type { Bench } from '../../bench.ts'
import { run } from '../../processes/child.ts'
import { upload } from '../../clients/curl.ts'
import { interleave } from '../../measure.ts'
import type { Case } from '../../results/rows.ts'
import { startServer, type ServerProcess } from '../../processes/server-process.ts'
import { removeUploads } from '../../stored.ts'

const chunk = 64 * 1024 * 1024

/** Large files as resumable uploads, against the same file as a form. */
export const resumable: Case<Bench> = {
  name: 'tus',
  async run(bench) {
    const { size, signal } = bench
    const file = await bench.largeFile()
    await using server = await startServer(bench)
    const rate = (elapsed: number) => size / 1e6 / elapsed
    const form = async () => {
      const sent = await upload(server.url, file, signal)
      await removeUploads(server, [sent], signal)
      return rate(sent.seconds)
    }
    const resumableUpload = (parts: readonly string[]) => async () => {
      const started = await begin(server, size, signal)
      let elapsed = 0
      let offset = 0
      for (const part of parts) {
        elapsed += await append(started, { part, offset }, signal)
        offset += chunk
      }
      await removeUploads(server, [started], signal)
      return rate(elapsed)
    }
    const parts = await splitFile(file, signal)
    await form()
    const measurements = await interleave({
      form,
      whole: resumableUpload([file]),
      chunks: resumableUpload(parts),
    })
    const baseline = { name: 'the same file as a form', measurements: measurements.form }
    return [
      {
        kind: 'comparison',
        what: 'upload by tus, in one part',
        unit: 'MB/s',
        ours: measurements.whole,
        baseline,
        atLeast: 0.95,
      },
      {
        kind: 'comparison',
        what: 'upload by tus, in parts of 64 MiB',
        unit: 'MB/s',
        ours: measurements.chunks,
        baseline,
        atLeast: 0.85,
      },
    ]
  },
}

interface StartedUpload {
  readonly uploadID: string
  readonly uploadToken: string
  /** The URL of the resumable upload. */
  readonly url: string
}

async function begin({ url }: ServerProcess, size: number, signal: AbortSignal): Promise<StartedUpload> {
  const created = await fetch(new URL('upload', url), { method: 'POST', signal })
  const { id: uploadID, uploadToken = '' } = (await created.json()) as Upload
  const started = await fetch(new URL(`tus/${uploadID}`, url), {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      [names.uploadToken]: uploadToken,
      'upload-length': String(size),
      'upload-metadata': `fileName ${btoa('bench')}`,
    },
    signal,
  })
  return { uploadID, uploadToken, url: started.headers.get('location') ?? '' }
}

/** Copies the file into parts. @returns their paths, in order */
async function splitFile(file: string, signal: AbortSignal): Promise<string[]> {
  const directory = `${file}-parts`
  await mkdir(directory)
  await run('split', ['-b', String(chunk), '-a', '4', file, join(directory, 'part-')], { signal })
  return (await readdir(directory)).sort().map((name) => join(directory, name))
}

/** Seconds that curl needs for a part. */
async function append(
  { url, uploadToken }: StartedUpload,
  { part, offset }: { readonly part: string; readonly offset: number },
  signal: AbortSignal,
): Promise<number> {
  const headers = [
    'Tus-Resumable: 1.0.0',
    `${names.uploadToken}: ${uploadToken}`,
    'Content-Type: application/offset+octet-stream',
    `Upload-Offset: ${String(offset)}`,
  ].flatMap((header) => ['-H', header])
  const report = ['-sS', '-f', '-o', '/dev/null', '-w', '%{time_total}']
  return Number(await run('curl', [...report, '-X', 'PATCH', '-T', part, ...headers, url], { signal }))
}
