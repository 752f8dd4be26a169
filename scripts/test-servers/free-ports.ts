import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below are ports of well-known services. */
const first = 10_000

/** Where Linux takes ports from on its own, for outgoing connections and for port 0. */
const ephemeralFile = '/proc/sys/net/ipv4/ip_local_port_range'

/**
 * Ports of 127.0.0.1 that nobody listens on, all different. The system gives none of them to anybody else before they
 * are used, as it would with ports that it has chosen itself, and two processes hardly ever choose the same.
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
    // A system other than Linux.
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
