import { statfs } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { admin, startServerWithAccount } from '../../account.ts'
import type { Bench } from '../../bench.ts'
import { responseTime, healthDuring } from '../../clients/health.ts'
import { measuredSeconds, postScript, pressure, requestsPerSecond, warmUp } from '../../clients/wrk.ts'
import { interleave, median, rounds } from '../../measure.ts'
import type { Amount, Case, Row } from '../../results/rows.ts'
import { startServer, type ServerProcess } from '../../processes/server-process.ts'
import { request } from '../../stored.ts'

const json = 'application/json'
const loadSeconds = 5

const milliseconds = (what: string, measurement: number, atMost: number): Amount => ({
  kind: 'amount',
  what,
  unit: 'ms',
  measurement,
  atMost,
})

/** The effect of a few clients with the most expensive requests on the others. */
export const guests: Case<Bench> = {
  name: 'guests',
  async run(bench) {
    const rows: Row[] = []
    for (const measure of [codes, protectedUploads, largePages, forwardedFor, announcements, idleClients])
      rows.push(...(await measure(bench)))
    return [...rows, await budgets(bench)]
  },
}

async function codes(bench: Bench): Promise<readonly Row[]> {
  const { signal } = bench
  await using server = await startServer(bench)
  const url = `${server.url}qrcode?url=https%3A%2F%2Fsvc.example%2F&size=1000`
  const times = await healthDuring(
    server.url,
    pressure({ url, connections: 10 }, loadSeconds, signal),
    signal,
  )
  return [
    milliseconds(
      'median of `/health` during ten connections that request QR codes of 1,000 pixels',
      median(times),
      50,
    ),
  ]
}

const loginsDuring = 9

async function protectedUploads(bench: Bench): Promise<readonly Row[]> {
  const { signal } = bench
  const { server: opened } = await startServerWithAccount(bench)
  await using server = opened
  const body = JSON.stringify({ password: 'of the upload' })
  const load = {
    url: `${server.url}upload`,
    connections: 96,
    script: await postScript(bench, { type: json, body }),
  }
  const logIn = async () => {
    const start = performance.now()
    const headers = { 'Content-Type': json, 'X-Forwarded-For': '198.51.100.7' }
    const login = { method: 'POST', headers, body: JSON.stringify(admin), signal }
    await (await request(`${server.url}auth/local/login`, login)).text()
    return performance.now() - start
  }
  const alone = []
  for (let round = 0; round < rounds; round += 1) alone.push(await logIn())
  const stop = new AbortController()
  const pressing = pressure(load, 60, AbortSignal.any([signal, stop.signal])).catch(() => undefined)
  await wait(1_000, undefined, { signal })
  const duringUploads = []
  for (let login = 0; login < loginsDuring; login += 1) duringUploads.push(await logIn())
  stop.abort()
  await pressing
  return [
    { kind: 'amount', what: 'a login', unit: 'ms', measurement: median(alone) },
    milliseconds(
      'the same during 96 connections that create uploads with passwords',
      median(duringUploads),
      1_000,
    ),
    milliseconds('the slowest of nine such logins', Math.max(...duringUploads), 1_000),
  ]
}

const fullUploads = 20

async function largePages(bench: Bench): Promise<readonly Row[]> {
  const { signal } = bench
  const { server: opened, account } = await startServerWithAccount(bench)
  await using server = opened
  const files = Array.from({ length: 1_000 }, (_, position) => ({
    fileName: `photo ${String(position)}.jpg`,
  }))
  const headers = { 'Content-Type': json, ...account.token }
  const body = JSON.stringify({ files })
  for (let created = 0; created < fullUploads; created += 1)
    await (await request(`${server.url}upload`, { method: 'POST', headers, body, signal })).text()
  const load = { url: `${server.url}me/uploads?limit=500`, connections: 10, headers: account.session }
  let times: readonly number[] = []
  const { peakMemory } = await server.measureUsage(async () => {
    times = await healthDuring(server.url, pressure(load, loadSeconds, signal), signal)
  })
  return [
    {
      kind: 'amount',
      what: 'peak memory, ten connections list uploads with 1,000 files each (`limit=500`)',
      unit: 'MB',
      measurement: peakMemory / 1e6,
      atMost: 350,
    },
    milliseconds('median of `/health` meanwhile', median(times), 100),
  ]
}

const forwardedBytes = 30_000

async function forwardedFor(bench: Bench): Promise<readonly Row[]> {
  const { signal } = bench
  await using server = await startServer(bench, { SVCD_TRUSTED_PROXIES: '["127.0.0.1/32"]' })
  const address = `${server.url}config`
  const header = { 'X-Forwarded-For': `[${':'.repeat(forwardedBytes)}` }
  const measurements = await interleave({
    plain: async () => median(await each(20, () => responseTime(address, signal))),
    forwarded: async () => median(await each(20, () => responseTime(address, signal, header))),
  })
  const more = median(measurements.forwarded) - median(measurements.plain)
  return [milliseconds('what 30 kB of `X-Forwarded-For: [:::…` add to a request', Math.max(0, more), 5)]
}

async function each<Result>(times: number, work: () => Promise<Result>): Promise<Result[]> {
  const results = []
  for (let done = 0; done < times; done += 1) results.push(await work())
  return results
}

const gigabyte = 1e9
const announced = 200
const room = 10

async function announcements(bench: Bench): Promise<readonly Row[]> {
  const { signal } = bench
  const { bavail, bsize } = await statfs(bench.directory)
  const minFree = Math.floor(bavail * bsize - (room + 0.5) * gigabyte)
  await using server = await startServer(bench, { SVCD_MIN_FREE_SPACE_STR: String(Math.max(0, minFree)) })
  const created = await request(`${server.url}upload`, {
    method: 'POST',
    headers: { 'Content-Type': json },
    body: '{}',
    signal,
  })
  const { id, uploadToken } = (await created.json()) as { readonly id: string; readonly uploadToken: string }
  const announce = async (number: number) => {
    const headers = {
      'X-UploadToken': uploadToken,
      'Tus-Resumable': '1.0.0',
      'Upload-Length': String(gigabyte),
      'Upload-Metadata': `filename ${btoa(`film ${String(number)}`)}`,
    }
    return (await fetch(`${server.url}tus/${id}`, { method: 'POST', headers, signal })).status
  }
  const statuses = await Promise.all(Array.from({ length: announced }, (_, number) => announce(number)))
  const rejected = statuses.filter((status) => status === 507).length
  return [
    {
      kind: 'amount',
      what: `of ${String(announced)} files of 1 GB that are announced at once where ${String(room)} fit: refused`,
      unit: 'files',
      measurement: rejected,
      atLeast: announced - room,
    },
  ]
}

const descriptors = 300
const patienceMs = 90_000

/** Clients that send a byte and then stall, up to the server's limit of open files. */
async function idleClients(bench: Bench): Promise<readonly Row[]> {
  const { signal } = bench
  await using server = await startServer(bench)
  await responseTime(`${server.url}health`, signal)
  await server.limitOpenFiles(descriptors)
  const start = performance.now()
  const sockets = Array.from({ length: descriptors }, () => idleClient(server.url))
  try {
    await wait(1_000, undefined, { signal })
    while (performance.now() - start < patienceMs) {
      const time = await responseTime(
        `${server.url}health`,
        AbortSignal.any([signal, AbortSignal.timeout(1_000)]),
      ).catch(() => null)
      if (time !== null) break
      await wait(250, undefined, { signal })
    }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  return [
    {
      kind: 'amount',
      what: 'seconds until others are served, 300 open files and 300 clients that send one byte',
      unit: 's',
      measurement: (performance.now() - start) / 1_000,
      atMost: 60,
    },
  ]
}

function idleClient(url: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname, () => socket.write('G'))
  // Some are rejected.
  return socket.on('error', () => undefined)
}

const budgetKeys = ['UPLOADS', 'FILES', 'BYTES_STR', 'CLI_CODES', 'PASSWORD_UPLOADS', 'QR_CODES']

/** A few percent are visible only over many rounds. */
const manyRounds = 3

async function budgets(bench: Bench): Promise<Row> {
  const { signal } = bench
  const off = Object.fromEntries(budgetKeys.map((key) => [`SVCD_BUDGET_${key}`, '0']))
  await using counted = await startServer(bench)
  await using free = await startServer(bench, off)
  const script = await postScript(bench, { type: json, body: '{}' })
  for (const { url } of [counted, free]) await warmUp({ url: `${url}upload`, script }, signal)
  const measure = async (server: ServerProcess) => {
    const before = await server.processorTime()
    const rate = await requestsPerSecond({ url: `${server.url}upload`, script }, signal)
    return (rate * measuredSeconds) / ((await server.processorTime()) - before)
  }
  const ours: number[] = []
  const yardstick: number[] = []
  for (let again = 0; again < manyRounds; again += 1) {
    const measurements = await interleave({ yardstick: () => measure(free), ours: () => measure(counted) })
    ours.push(...measurements.ours)
    yardstick.push(...measurements.yardstick)
  }
  return {
    kind: 'comparison',
    what: '`POST /upload` with budgets, in a second of processor time',
    unit: 'requests/s',
    ours,
    yardstick: { name: 'without budgets', measurements: yardstick },
    atLeast: 0.97,
  }
}
