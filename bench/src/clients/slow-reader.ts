import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Clients on slow lines, which download a few kilobytes per second. */
export interface SlowReaders extends Disposable {
  /** The number of clients that received bytes of a successful response and are still connected. */
  readonly servedCount: () => number
}

export interface SlowReaderOptions {
  readonly count: number
  /** Bytes that each client reads per second. */
  readonly bytesPerSecond: number
}

/** The smallest receive buffer of the system: the buffers of the clients are not memory of the server. */
const tickMs = 1_000

/** Opens the connections one after the other, as fast as they are accepted. */
export async function startSlowReaders(url: string, options: SlowReaderOptions): Promise<SlowReaders> {
  const { count, bytesPerSecond } = options
  const readers: Reader[] = []
  const ticking = setInterval(() => {
    for (const reader of readers) reader.take(bytesPerSecond)
  }, tickMs)
  const stop = () => {
    clearInterval(ticking)
    for (const { socket } of readers) socket.destroy()
  }
  try {
    for (let opened = 0; opened < count; opened += 1) readers.push(await openReader(new URL(url)))
  } catch (error) {
    stop()
    throw error
  }
  return {
    servedCount: () => readers.filter((reader) => reader.isServed()).length,
    [Symbol.dispose]: stop,
  }
}

interface Reader {
  readonly socket: Socket
  readonly take: (bytes: number) => void
  readonly isServed: () => boolean
}

async function openReader({ hostname, port, host, pathname }: URL): Promise<Reader> {
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  // Broken connections are noticed by counting.
  socket.on('error', () => undefined)
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  let succeeded = false
  // Nothing flows without a listener for data; each `take` reads what it may.
  socket.pause()
  return {
    socket,
    take(bytes) {
      const chunk = socket.read(bytes) as Buffer | null
      if (chunk !== null && !succeeded) succeeded = chunk.toString('latin1').startsWith('HTTP/1.1 200 ')
    },
    isServed: () => succeeded && !socket.destroyed,
  }
}
