import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Bench } from '../../bench.ts'
import { upload } from '../../clients/curl.ts'
import type { Measurement, Case } from '../../results/rows.ts'
import { startServer } from '../../processes/server-process.ts'

/** What connections wait for. */
interface WaitingConnections {
  readonly what: string
  /** What each client sends, and then waits. */
  readonly sends: (host: string, path: string) => string
  /** Whether the server has sent nothing yet. */
  readonly hasNoResponse: boolean
}

const first = 'x'.repeat(1024)
const body = `Content-Length: 1000000\r\n\r\n${first}`

const kinds: readonly WaitingConnections[] = [
  {
    what: 'an idle connection',
    sends: (host) => `GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    hasNoResponse: false,
  },
  {
    what: 'an upload that waits for its client',
    sends: (host) => `PUT /file.bin HTTP/1.1\r\nHost: ${host}\r\n${body}`,
    hasNoResponse: true,
  },
  {
    what: 'a download that waits for its client',
    sends: (host, path) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    hasNoResponse: false,
  },
  {
    what: 'a stream that waits for its recipient',
    sends: (host) => `PUT /file.bin?stream=true HTTP/1.1\r\nHost: ${host}\r\n${body}`,
    hasNoResponse: true,
  },
]

const count = 500
/** Milliseconds until the server has done what it does for a new connection. */
const settleMs = 2_000

/** Resident memory of the server for each connection that waits, in the mean of many. */
export const connections: Case<Bench> = {
  name: 'connections',
  async run(bench) {
    const rows: Measurement[] = []
    for (const kind of kinds) rows.push(await measure(bench, kind))
    return rows
  },
}

async function measure(
  bench: Bench,
  { what, sends, hasNoResponse }: WaitingConnections,
): Promise<Measurement> {
  const { signal } = bench
  await using server = await startServer(bench, { SVCD_MAX_CONNECTIONS_PER_ADDRESS: '0' })
  const { url } = await upload(server.url, await bench.largeFile(), signal)
  const { hostname, port, host } = new URL(server.url)
  const clients: Socket[] = []
  const settle = () => wait(settleMs, undefined, { signal })
  const open = async (many: number) => {
    for (let opened = 0; opened < many; opened += 1) {
      const client = connect({ host: hostname, port: Number(port) })
      clients.push(client)
      client.on('error', () => undefined)
      client.write(sends(host, new URL(url).pathname))
      await once(client, 'connect')
      // The client reads nothing of what arrives.
      if (!hasNoResponse) await once(client, 'readable')
    }
    await settle()
  }
  try {
    // The first ones load code and allocate buffers that all share.
    await open(20)
    const before = await server.measureUsage(settle)
    const after = await server.measureUsage(() => open(count))
    const broken = clients.filter((client) => client.destroyed || client.readableEnded).length
    if (broken > 0)
      throw new Error(`${String(broken)} of ${String(clients.length)} connections broke: ${what}`)
    const value = (after.peakMemory - before.peakMemory) / count / 1000
    return { kind: 'measurement', what: `memory of ${what}`, unit: 'kB', value }
  } finally {
    for (const client of clients) client.destroy()
  }
}
