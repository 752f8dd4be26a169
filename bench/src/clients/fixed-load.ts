import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { median } from '../measure.ts'

export interface LoadResult {
  /** Finished cycles. */
  readonly cycles: number
  readonly failed: number
  /** Milliseconds, the medians, from the moment at which the request was due. */
  readonly upload: number
  readonly download: number
}

/** Bytes of a file. */
const size = 1024
const downloadsPerCycle = 3

/**
 * Sends cycles of an upload and three downloads of its file at a fixed rate, however long the responses take, to servers in turn.
 * @param rate cycles per second
 * @throws the first failure, at the end, when more than a tenth of the cycles failed
 */
export async function fixedLoad(
  servers: readonly { readonly url: string }[],
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  const uploads: number[] = []
  const downloads: number[] = []
  const body = randomBytes(size)
  const serverOf = (number: number) => servers[number % servers.length]?.url ?? ''
  const cycle = async (number: number, due: number) => {
    const link = await sendRequest(agent, { method: 'PUT', url: `${serverOf(number)}file.bin`, body })
    uploads.push(performance.now() - due)
    for (let next = 1; next <= downloadsPerCycle; next += 1) {
      const begin = performance.now()
      const { pathname } = new URL(link.trim())
      await sendRequest(agent, { method: 'GET', url: serverOf(number + next).replace(/\/$/, pathname) })
      downloads.push(performance.now() - begin)
    }
  }
  const total = rate * seconds
  const start = performance.now()
  const running: Promise<void>[] = []
  await new Promise<void>((done) => {
    const timer = setInterval(() => {
      while (running.length < total && start + (running.length / rate) * 1_000 <= performance.now())
        running.push(cycle(running.length, start + (running.length / rate) * 1_000))
      if (running.length < total) return
      clearInterval(timer)
      done()
    }, 5)
  })
  const ended = await Promise.allSettled(running)
  agent.destroy()
  const failures = ended.filter((result) => result.status === 'rejected')
  if (failures.length > total / 10) throw failures[0]?.reason
  return {
    cycles: total - failures.length,
    failed: failures.length,
    upload: median(uploads),
    download: median(downloads),
  }
}

function sendRequest(
  agent: Agent,
  { method, url, body }: { readonly method: string; readonly url: string; readonly body?: Uint8Array },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const message = request(url, { agent, method }, (response) => {
      let text = ''
      response.setEncoding('latin1').on('data', (part: string) => (text += part))
      response.on('error', reject).on('end', () => {
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`${url}: ${String(response.statusCode)} ${text}`))
      })
    })
    message.on('error', reject).end(body)
  })
}
