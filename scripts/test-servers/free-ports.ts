import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Well-known services use lower ports. */
const first = 10_000

/** File with the range of ports that Linux assigns to outgoing connections and to port 0. */
const ephemeralFile = '/proc/sys/net/ipv4/ip_local_port_range'

/**
 * Distinct free ports of 127.0.0.1. They are outside the range that the system assigns, so no other process gets one before
 * it is used, and two processes rarely choose the same.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>()
  const end = firstEphemeral()
  while (ports.size < count) {
    const port = randomInt(first, end)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

function firstEphemeral(): number {
  try {
    const [start = 0] = readFileSync(ephemeralFile, 'utf8').split(/\s+/).map(Number)
    if (start > first) return start
  } catch {
    // Systems other than Linux lack the file.
  }
  return 32_768
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
