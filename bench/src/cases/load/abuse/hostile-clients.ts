import { statfs } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Bench } from '../../../bench.ts'
import { responseTime } from '../../../clients/health.ts'
import type { Row } from '../../../results/rows.ts'
import { startServer } from '../../../processes/server-process.ts'
import { request } from '../../../stored.ts'

const gigabyte = 1e9
const announced = 200
const room = 10

/** A client that announces more bytes than are free: those that do not fit must be refused. */
export async function excessAnnouncements(bench: Bench): Promise<readonly Row[]> {
  const { signal } = bench
  const { bavail, bsize } = await statfs(bench.directory)
  const minFree = Math.floor(bavail * bsize - (room + 0.5) * gigabyte)
  await using server = await startServer(bench, { SVCD_MIN_FREE_SPACE_STR: String(Math.max(0, minFree)) })
  const created = await request(`${server.url}upload`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
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
      kind: 'measurement',
      what: `of ${String(announced)} files of 1 GB that are announced at once where ${String(room)} fit: refused`,
      unit: 'files',
      value: rejected,
      atLeast: announced - room,
    },
  ]
}

const descriptors = 300
const timeoutMs = 90_000

/** Clients that send a byte and then stall, up to the server's limit of open files. */
export async function idleClients(bench: Bench): Promise<readonly Row[]> {
  const { signal } = bench
  await using server = await startServer(bench)
  await responseTime(`${server.url}health`, signal)
  await server.limitOpenFiles(descriptors)
  const start = performance.now()
  const sockets = Array.from({ length: descriptors }, () => idleClient(server.url))
  try {
    await wait(1_000, undefined, { signal })
    while (performance.now() - start < timeoutMs) {
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
      kind: 'measurement',
      what: `seconds until others are served, ${String(descriptors)} open files and ${String(descriptors)} clients that send one byte`,
      unit: 's',
      value: (performance.now() - start) / 1_000,
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
