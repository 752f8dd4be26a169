import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Bench } from '../bench.ts'
import { run } from '../child.ts'

export interface Load {
  readonly url: string
  readonly connections?: number
  /** A Lua script that says what else is sent; GET without a body when there is none. */
  readonly script?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Requests were refused or lost: how many a second there were says nothing then. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
}

/** Of a measurement. */
export const measuredSeconds = 3
const warmingSeconds = 1

/** Requests a second that are answered with success, with 32 connections unless told otherwise. */
export const requestsPerSecond = (load: Load, signal: AbortSignal): Promise<number> =>
  wrk(load, measuredSeconds, signal)

/** Asks as often as it can, whatever it is answered. @param duration seconds */
export async function pressure(load: Load, duration: number, signal: AbortSignal): Promise<void> {
  await run('wrk', argumentsOf(load, duration), { signal })
}

/** Lets a server compile its hot paths before it is measured. */
export async function warmUp(load: Load, signal: AbortSignal): Promise<void> {
  await wrk(load, warmingSeconds, signal)
}

async function wrk(load: Load, duration: number, signal: AbortSignal): Promise<number> {
  const report = await reportOf(load, duration, signal)
  const [, rate] = /^Requests\/sec:\s+([\d.]+)$/m.exec(report) ?? []
  if (rate === undefined) throw new LoadError(report)
  return Number(rate)
}

/** Milliseconds within which 99 of 100 requests are answered. @param duration seconds */
export async function slowestOfHundred(load: Load, duration: number, signal: AbortSignal): Promise<number> {
  const report = await reportOf(load, duration, signal)
  const [, figure, unit = ''] = /^\s+99%\s+([\d.]+)(us|ms|s)$/m.exec(report) ?? []
  if (figure === undefined) throw new LoadError(report)
  return Number(figure) * (inMilliseconds[unit] ?? NaN)
}

const inMilliseconds: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3 }

/** @throws LoadError unless all is answered with success */
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

/** Writes the script for requests that send a body. @returns its path */
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

/** Every byte as a decimal escape: nothing in it can end the string. */
const luaString = (text: string): string =>
  `"${Array.from(Buffer.from(text), (byte) => `\\${String(byte).padStart(3, '0')}`).join('')}"`
