import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Bench } from '../bench.ts'
import { run } from '../processes/child.ts'

export interface Load {
  readonly url: string
  readonly connections?: number
  /** A Lua script for the method and body; without it, requests are GET. */
  readonly script?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Requests failed or were lost, so their rate is meaningless. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
}

/** The duration of a measurement. */
export const measuredSeconds = 3
const warmingSeconds = 1

/** Successful requests per second, by default with 32 connections. */
export const requestsPerSecond = (load: Load, signal: AbortSignal): Promise<number> =>
  wrk(load, measuredSeconds, signal)

/**
 * Sends requests as fast as it can, and ignores their status.
 * @param duration seconds
 */
export async function pressure(load: Load, duration: number, signal: AbortSignal): Promise<void> {
  await run('wrk', argumentsOf(load, duration), { signal })
}

/**
 * Sends requests as fast as it can.
 * @param duration seconds
 * @returns their number
 */
export async function countRequests(load: Load, duration: number, signal: AbortSignal): Promise<number> {
  const report = await reportOf(load, duration, signal)
  const [, count] = /^\s+(\d+) requests in /m.exec(report) ?? []
  if (count === undefined) throw new LoadError(report)
  return Number(count)
}

/** Lets a server compile its hot paths before the measurement. */
export async function warmUp(load: Load, signal: AbortSignal): Promise<void> {
  await wrk(load, warmingSeconds, signal)
}

async function wrk(load: Load, duration: number, signal: AbortSignal): Promise<number> {
  const report = await reportOf(load, duration, signal)
  const [, rate] = /^Requests\/sec:\s+([\d.]+)$/m.exec(report) ?? []
  if (rate === undefined) throw new LoadError(report)
  return Number(rate)
}

/**
 * The 99th percentile of response times in milliseconds.
 * @param duration seconds
 */
export async function p99(load: Load, duration: number, signal: AbortSignal): Promise<number> {
  const report = await reportOf(load, duration, signal)
  const [, measurement, unit = ''] = /^\s+99%\s+([\d.]+)(us|ms|s)$/m.exec(report) ?? []
  if (measurement === undefined) throw new LoadError(report)
  return Number(measurement) * (inMilliseconds[unit] ?? NaN)
}

const inMilliseconds: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3 }

/** @throws LoadError unless all responses are successful */
async function reportOf(load: Load, duration: number, signal: AbortSignal): Promise<string> {
  const report = await run('wrk', argumentsOf(load, duration), { signal })
  if (/Non-2xx|Socket errors/.test(report)) throw new LoadError(report)
  return report
}

function argumentsOf({ url, connections = 32, script, headers = {} }: Load, duration: number): string[] {
  const args = ['-t1', `-c${String(connections)}`, `-d${String(duration)}s`, '--timeout', '10s', '--latency']
  for (const [name, value] of Object.entries(headers)) args.push('-H', `${name}: ${value}`)
  if (script !== undefined) args.push('-s', script)
  return [...args, url]
}

/**
 * Writes the script for requests that send a body.
 * @returns its path
 */
export async function postScript(
  bench: Bench,
  { type, body }: { readonly type: string; readonly body: string },
): Promise<string> {
  const script = path.join(await bench.newDirectory('wrk'), 'post.lua')
  const lines = [
    'wrk.method = "POST"',
    `wrk.headers["Content-Type"] = ${luaString(type)}`,
    `wrk.body = ${luaString(body)}`,
  ]
  await writeFile(script, `${lines.join('\n')}\n`)
  return script
}

/** Every byte as a decimal escape: no byte can end the string. */
const luaString = (text: string): string =>
  `"${Array.from(Buffer.from(text), (byte) => `\\${String(byte).padStart(3, '0')}`).join('')}"`
