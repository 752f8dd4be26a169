import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Bench } from '../../bench.ts'
import { svcProgram } from '../../clients/svc.ts'
import { run } from '../../processes/child.ts'
import { interleave, median, timeInSeconds } from '../../measure.ts'
import type { Case, Row } from '../../results/rows.ts'
import { startServer, type ServerProcess } from '../../processes/server-process.ts'
import { PreparationError, removeUploads, request } from '../../stored.ts'

const count = 5_000
const bytes = 1_000
/** The defaults of `svc` for small files. */
const connections = { up: 16, down: 16 }

interface StoredFile {
  readonly id: string
  readonly fileName: string
}

interface CreatedUpload {
  readonly id: string
  readonly uploadToken: string
  readonly files: readonly StoredFile[]
}

interface CurlOptions {
  readonly folder: string
  /** As many as `svc` uses. */
  readonly connections: number
  readonly signal: AbortSignal
}

/** Requests that curl makes from one process. */
async function curl(
  requests: readonly string[],
  { folder, connections, signal }: CurlOptions,
): Promise<void> {
  const config = path.join(folder, 'curl.conf')
  await writeFile(config, requests.join('\nnext\n'))
  const parallel = ['--parallel', '--parallel-max', String(connections)]
  await run('curl', ['-sS', '--fail-early', ...parallel, '-K', config], { signal })
}

const option = (name: string, value: string) => `${name} = ${JSON.stringify(value)}`

async function createUpload({ url }: ServerProcess, names: readonly string[], signal: AbortSignal) {
  const body = JSON.stringify({ files: names.map((fileName) => ({ fileName })) })
  const headers = { 'Content-Type': 'application/json' }
  const response = await request(`${url}upload`, { method: 'POST', headers, body, signal })
  return (await response.json()) as CreatedUpload
}

/** Thousands of small files with the command-line client, against curl with the same requests. */
export const manyFiles: Case<Bench> = {
  name: 'many-files',
  async run(bench) {
    const { signal } = bench
    const folder = await bench.newDirectory('many-files')
    const [source, target] = [path.join(folder, 'source'), path.join(folder, 'target')]
    const names = Array.from({ length: count }, (_, index) => `${String(index)}.bin`)
    await mkdir(source)
    for (const name of names) await writeFile(path.join(source, name), randomBytes(bytes))
    await using server = await startServer(bench, { SVCD_MAX_FILE_PER_UPLOAD: String(count) })
    const { url } = server

    const env = { ...process.env, HOME: folder, SVC_SERVER: url }
    const svc = (...args: readonly string[]) => run(process.execPath, [svcProgram, ...args], { signal, env })
    const remove = ({ id, uploadToken }: CreatedUpload) =>
      removeUploads(server, [{ uploadID: id, uploadToken }], signal)
    const addressOf = ({ id }: CreatedUpload, file: StoredFile) =>
      `${url}file/${id}/${file.id}/${file.fileName}`

    const measureSend = async (send: () => Promise<CreatedUpload>) => {
      let upload: CreatedUpload | undefined
      const elapsed = await timeInSeconds(async () => (upload = await send()))
      if (upload) await remove(upload)
      return elapsed
    }
    const curlUp = async () => {
      const upload = await createUpload(server, names, signal)
      const requests = upload.files.map((file) =>
        [
          option('url', addressOf(upload, file)),
          option('header', `X-UploadToken: ${upload.uploadToken}`),
          option('form', `file=@${path.join(source, file.fileName)}`),
          option('output', '/dev/null'),
          'fail',
        ].join('\n'),
      )
      await curl(requests, { folder, connections: connections.up, signal })
      return upload
    }
    const svcUp = async () => JSON.parse(await svc(source, '--json')) as CreatedUpload

    const stored = await curlUp()
    const measureReceive = async (receive: () => Promise<unknown>) => {
      const elapsed = await timeInSeconds(receive)
      const files = await readdir(target, { recursive: true })
      if (files.length !== count) throw new PreparationError(`${String(files.length)} files arrived`)
      await rm(target, { recursive: true })
      return elapsed
    }
    const curlDown = () =>
      curl(
        stored.files.map((file) =>
          [
            option('url', addressOf(stored, file)),
            option('output', path.join(target, file.fileName)),
            'create-dirs',
            'fail',
          ].join('\n'),
        ),
        { folder, connections: connections.down, signal },
      )
    const measured = await interleave({
      curlUp: () => measureSend(curlUp),
      svcUp: () => measureSend(svcUp),
      curlDown: () => measureReceive(curlDown),
      svcDown: () => measureReceive(() => svc('get', `${url}#/?id=${stored.id}`, '-q', '-y', '-o', target)),
    })
    const rows = (
      what: string,
      { ours, curls }: { readonly ours: readonly number[]; readonly curls: readonly number[] },
      atLeast: number,
    ): Row[] => [
      {
        kind: 'comparison',
        what,
        unit: 'files/s',
        ours: ours.map((elapsed) => count / elapsed),
        baseline: { name: '`curl --parallel`', measurements: curls.map((elapsed) => count / elapsed) },
        atLeast,
      },
      { kind: 'measurement', what: `${what}: time`, unit: 's', value: median(ours), atMost: 10 },
    ]
    return [
      ...rows('`svc` sends 5,000 files of 1 kB', { ours: measured.svcUp, curls: measured.curlUp }, 0.8),
      ...rows('`svc get` of 5,000 files of 1 kB', { ours: measured.svcDown, curls: measured.curlDown }, 0.5),
    ]
  },
}
