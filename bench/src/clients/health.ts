import { get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

const pauseMs = 20

/**
 * Milliseconds until the response to a request.
 * @throws without one, or when the signal is aborted
 */
export function responseTime(
  address: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const request = get(address, { headers, signal, agent: false }, (response) => {
      response.resume().once('end', () => {
        resolve(performance.now() - start)
      })
      response.once('error', reject)
    })
    request.once('error', reject)
  })
}

/**
 * Repeats requests to `/health` during some work.
 * @returns milliseconds of each response
 */
export async function healthDuring(
  url: string,
  work: Promise<unknown>,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const over = new AbortController()
  const ended = work.finally(() => {
    over.abort()
  })
  const times = []
  do {
    times.push(await responseTime(`${url}health`, signal))
    await wait(pauseMs, undefined, { signal })
  } while (!over.signal.aborted)
  await ended
  return times
}
