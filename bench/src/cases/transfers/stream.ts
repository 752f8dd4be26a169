import { streamPath, type Upload } from '@svc/contract'
import type { Bench } from '../../bench.ts'
import { download, sendStream, upload } from '../../clients/curl.ts'
import { interleave } from '../../measure.ts'
import type { Case } from '../../results/rows.ts'
import { startServer, type ServerProcess } from '../../processes/server-process.ts'

/** Streams of large files, against downloads of a stored one by the same client. */
export const streams: Case<Bench> = {
  name: 'stream',
  async run(bench) {
    const { size, signal } = bench
    const file = await bench.largeFile()
    await using server = await startServer(bench)
    await using secondServer = await startServer(bench, server.sameData)
    const stored = (await upload(server.url, file, signal)).url

    const rate = (elapsed: number) => size / 1e6 / elapsed
    const plain = async () => rate(await download(stored, size, signal))
    const measureStream = (to: ServerProcess) => async () => rate(await streamOnce(server, to, file, bench))
    await plain()
    const measurements = await interleave({
      baseline: plain,
      here: measureStream(server),
      across: measureStream(secondServer),
    })
    const baseline = { name: 'download of a stored file', measurements: measurements.baseline }
    const row = { kind: 'comparison', unit: 'MB/s', baseline } as const
    return [
      { ...row, what: 'stream of a large file', ours: measurements.here, atLeast: 0.6 },
      {
        ...row,
        what: 'stream of a large file across two processes',
        ours: measurements.across,
        atLeast: 0.4,
      },
    ]
  },
}

/** @returns seconds of the download */
async function streamOnce(from: ServerProcess, to: ServerProcess, file: string, { size, signal }: Bench) {
  const created = await fetch(`${from.url}upload`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ stream: true, files: [{ fileName: 'large.bin', fileSize: size }] }),
    signal,
  })
  const { id, uploadToken = '', files } = (await created.json()) as Upload
  const path = streamPath(id, files[0]?.id ?? '', 'large.bin').slice(1)
  const sent = sendStream(from.url + path, { file, uploadToken, signal })
  await isWaiting(`${to.url}${path}`, signal)
  const elapsed = await download(to.url + path, size, signal)
  await sent
  return elapsed
}

/** Polls with HEAD, which does not take the stream, until the sender has connected. */
async function isWaiting(url: string, signal: AbortSignal): Promise<void> {
  while ((await fetch(url, { method: 'HEAD', signal })).status !== 200) signal.throwIfAborted()
}
