import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Bench } from '../../bench.ts'
import { measuredSeconds, postScript, requestsPerSecond, warmUp, type Load } from '../../clients/wrk.ts'
import { interleave } from '../../measure.ts'
import { timeByCause } from '../../processes/profile.ts'
import type { Case, Row } from '../../results/rows.ts'
import { startServer, type ServerProcess } from '../../processes/server-process.ts'
import { request, storeFiles } from '../../stored.ts'
import { startBareFastify } from '../../baselines/bare-fastify.ts'
import { startNginx } from '../../baselines/nginx.ts'

/** A kilobyte of text. */
const content = 'All work and no play makes a dull file.\n'.repeat(26).slice(0, 1024)

/** The repeated request. */
export type MakeLoad = (bench: Bench, server: Pick<ServerProcess, 'url'>) => Promise<Load>

interface SmallRequest {
  readonly name: string
  readonly what: string
  readonly atLeast: number
  readonly load: MakeLoad
  /** By default the smallest route of the same framework. */
  readonly baseline?: Baseline
}

interface Baseline {
  readonly name: string
  readonly start: (bench: Bench) => Promise<{ readonly url: string } & AsyncDisposable>
}

const bareFastify: Baseline = {
  name: 'bare Fastify',
  start: ({ signal }) => startBareFastify(signal),
}

/** A small request of ours against a baseline, with the same client. */
const smallRequest = ({ name, what, atLeast, load, baseline = bareFastify }: SmallRequest): Case<Bench> => ({
  name,
  async run(bench) {
    const { signal } = bench
    await using server = await startServer(bench)
    await using bare = await baseline.start(bench)
    const ours = await load(bench, server)
    const theirs = { url: bare.url }
    await warmUp(theirs, signal)
    await warmUp(ours, signal)
    const measurements = await interleave({
      baseline: () => requestsPerSecond(theirs, signal),
      ours: () => requestsPerSecond(ours, signal),
    })
    return [
      {
        kind: 'comparison',
        what,
        unit: 'requests/s',
        ours: measurements.ours,
        baseline: { name: baseline.name, measurements: measurements.baseline },
        atLeast,
      },
    ]
  },
})

export const readings: MakeLoad = async ({ signal }, server) => {
  const { uploadID } = await storeFiles(server, { count: 1, content }, signal)
  return { url: `${server.url}upload/${uploadID}` }
}

export const getUpload = smallRequest({
  name: 'get-upload',
  what: '`GET /upload/{id}`, one file',
  atLeast: 0.45,
  load: readings,
})

const scripts: MakeLoad = async ({ signal }, { url }) => {
  const page = await (await request(url, { signal })).text()
  const [script = ''] = /assets\/[^"]+\.js/.exec(page) ?? []
  return { url: url + script, headers: { 'Accept-Encoding': 'br' } }
}

/** The page loads two dozen of them. */
export const pageAsset = smallRequest({
  name: 'page-asset',
  what: 'a script of the page',
  atLeast: 0.1,
  load: scripts,
})

export const creations: MakeLoad = async (bench, { url }) => {
  const body = JSON.stringify({ ttl: 86_400, removable: true, comments: 'for you' })
  return { url: `${url}upload`, script: await postScript(bench, { type: 'application/json', body }) }
}

export const createUpload = smallRequest({
  name: 'create-upload',
  what: '`POST /upload`',
  atLeast: 0.18,
  load: creations,
})

const boundary = 'a-boundary-of-the-benchmark'

export const quickUploads: MakeLoad = async (bench, { url }) => {
  const type = `multipart/form-data; boundary=${boundary}`
  const body = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="small.txt"',
    'Content-Type: text/plain',
    '',
    content,
    `--${boundary}--`,
    '',
  ].join('\r\n')
  return { url, script: await postScript(bench, { type, body }) }
}

export const quickUpload = smallRequest({
  name: 'quick-upload',
  what: 'quick upload of 1 KiB',
  atLeast: 0.05,
  load: quickUploads,
})

const healthChecks: MakeLoad = (_bench, { url }) => Promise.resolve({ url: `${url}health` })

export const health = smallRequest({
  name: 'health',
  what: '`GET /health`',
  atLeast: 0.9,
  load: healthChecks,
})

const configurations: MakeLoad = (_bench, { url }) => Promise.resolve({ url: `${url}config` })

export const configuration = smallRequest({
  name: 'config',
  what: '`GET /config`',
  atLeast: 0.9,
  load: configurations,
})

const nginxWithSmallFile: Baseline = {
  name: 'nginx',
  async start(bench) {
    const file = path.join(await bench.newDirectory('small'), 'small.txt')
    await writeFile(file, content)
    const nginx = await startNginx(bench, { small: file })
    return { url: nginx.urlOf('small'), [Symbol.asyncDispose]: () => nginx[Symbol.asyncDispose]() }
  },
}

const smallDownloads: MakeLoad = async ({ signal }, server) => {
  const { fileURL } = await storeFiles(server, { count: 1, content }, signal)
  return { url: fileURL }
}

export const smallDownload = smallRequest({
  name: 'small-download',
  what: 'download of 1 KiB',
  atLeast: 0.8,
  baseline: nginxWithSmallFile,
  load: smallDownloads,
})

/** Each small request: what it is, and how to make it. */
export const smallRequests = [
  ['`GET /health`', healthChecks],
  ['`GET /config`', configurations],
  ['`GET /upload/{id}`', readings],
  ['download of 1 KiB', smallDownloads],
  ['`POST /upload`', creations],
  ['quick upload of 1 KiB', quickUploads],
] as const

/** Where the time of each small request goes, on the main thread. */
export const budget: Case<Bench> = {
  name: 'budget',
  isLong: true,
  async run(bench) {
    const rows: Row[] = []
    for (const [what, makeLoad] of smallRequests) rows.push(...(await budgetOf(bench, what, makeLoad)))
    return rows
  },
}

async function budgetOf(bench: Bench, what: string, makeLoad: MakeLoad): Promise<readonly Row[]> {
  const { signal } = bench
  await using server = await startServer(bench)
  const load = await makeLoad(bench, server)
  await warmUp(load, signal)
  let rate = NaN
  const profile = await server.profile(async () => {
    rate = await requestsPerSecond(load, signal)
  })
  const requests = rate * measuredSeconds
  const times = [...timeByCause(profile)].sort(([, a], [, b]) => b - a)
  const total = times.reduce((sum, [, time]) => sum + time, 0)
  return [['all', total] as const, ...times].map(([cause, time]) => ({
    kind: 'measurement',
    what: `${what}: ${cause}`,
    unit: 'µs',
    value: time / requests,
  }))
}
