import { setTimeout as wait } from 'node:timers/promises'
import { admin, startServerWithAccount } from '../../../account.ts'
import type { Bench } from '../../../bench.ts'
import { responseTime, healthDuring } from '../../../clients/health.ts'
import { postScript, pressure } from '../../../clients/wrk.ts'
import { interleave, median, rounds } from '../../../measure.ts'
import type { Measurement, Row } from '../../../results/rows.ts'
import { startServer } from '../../../processes/server-process.ts'
import { request } from '../../../stored.ts'

const json = 'application/json'
const loadSeconds = 5

const milliseconds = (what: string, value: number, atMost: number): Measurement => ({
  kind: 'measurement',
  what,
  unit: 'ms',
  value,
  atMost,
})

export async function qrCodes(bench: Bench): Promise<readonly Row[]> {
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

export async function protectedUploads(bench: Bench): Promise<readonly Row[]> {
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
    { kind: 'measurement', what: 'a login', unit: 'ms', value: median(alone) },
    milliseconds(
      'the same during 96 connections that create uploads with passwords',
      median(duringUploads),
      1_000,
    ),
    milliseconds('the slowest of nine such logins', Math.max(...duringUploads), 1_000),
  ]
}

const fullUploads = 20

export async function largePages(bench: Bench): Promise<readonly Row[]> {
  const { signal } = bench
  const { server: opened, account } = await startServerWithAccount(bench)
  await using server = opened
  const files = Array.from({ length: 1_000 }, (_, position) => ({
    fileName: `photo ${String(position)}.jpg`,
  }))
  const headers = { 'Content-Type': json, ...account.tokenHeaders }
  const body = JSON.stringify({ files })
  for (let created = 0; created < fullUploads; created += 1)
    await (await request(`${server.url}upload`, { method: 'POST', headers, body, signal })).text()
  const load = { url: `${server.url}me/uploads?limit=500`, connections: 10, headers: account.sessionHeaders }
  let times: readonly number[] = []
  const { peakMemory } = await server.measureUsage(async () => {
    times = await healthDuring(server.url, pressure(load, loadSeconds, signal), signal)
  })
  return [
    {
      kind: 'measurement',
      what: 'peak memory, ten connections list uploads with 1,000 files each (`limit=500`)',
      unit: 'MB',
      value: peakMemory / 1e6,
      atMost: 350,
    },
    milliseconds('median of `/health` during these lists', median(times), 100),
  ]
}

const forwardedBytes = 30_000

export async function forwardedFor(bench: Bench): Promise<readonly Row[]> {
  const { signal } = bench
  await using server = await startServer(bench, { SVCD_TRUSTED_PROXIES: '["127.0.0.1/32"]' })
  const address = `${server.url}config`
  const header = { 'X-Forwarded-For': `[${':'.repeat(forwardedBytes)}` }
  const measurements = await interleave({
    plain: async () => median(await repeat(20, () => responseTime(address, signal))),
    forwarded: async () => median(await repeat(20, () => responseTime(address, signal, header))),
  })
  const more = median(measurements.forwarded) - median(measurements.plain)
  return [milliseconds('what 30 kB of `X-Forwarded-For: [:::…` add to a request', Math.max(0, more), 5)]
}

async function repeat<Result>(times: number, work: () => Promise<Result>): Promise<Result[]> {
  const results = []
  for (let done = 0; done < times; done += 1) results.push(await work())
  return results
}
