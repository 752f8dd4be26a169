import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy between a browser and a server, which records the bytes. */
export interface ConnectionProxy {
  /** The address for the browser instead of that of the server. */
  readonly url: string
  /** All bytes in both directions. */
  readonly recorded: () => Buffer
  /**
   * Forwards this number of further bytes to the server, and no more until `restore`.
   * Resolves when they are forwarded.
   */
  readonly stall: (bytes: number) => Promise<void>
  /** Cuts open connections, and rejects new ones. */
  readonly cut: () => void
  /**
   * Ends a stall or a cut.
   * @param maxBytes that each new connection sends to the server, so that no upload ends
   */
  readonly restore: (maxBytes?: number) => void
  readonly stop: () => Promise<void>
}

export async function startConnectionProxy(server: string): Promise<ConnectionProxy> {
  const { hostname, port, pathname } = new URL(server)
  const recorded: Buffer[] = []
  const browsers = new Set<Socket>()
  let isCut = false
  let remaining = Infinity
  let maxPerConnection = Infinity
  let onStalled: (() => void) | undefined
  const forward = (bytes: Buffer, upstream: Socket) => {
    recorded.push(bytes)
    remaining -= bytes.length
    upstream.write(bytes)
    if (remaining > 0) return
    for (const browser of browsers) browser.pause()
    onStalled?.()
  }
  const listener = createServer((browser) => {
    if (isCut) {
      browser.destroy()
      return
    }
    const upstream = connect(Number(port), hostname)
    browsers.add(browser)
    let left = maxPerConnection
    browser.on('data', (bytes: Buffer) => {
      left -= bytes.length
      forward(bytes, upstream)
      if (left <= 0) browser.pause()
    })
    upstream.on('data', (bytes: Buffer) => recorded.push(bytes))
    upstream.pipe(browser)
    if (remaining <= 0) browser.pause()
    for (const socket of [browser, upstream]) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        browsers.delete(browser)
        browser.destroy()
        upstream.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const cut = () => {
    isCut = true
    for (const browser of browsers) browser.destroy()
  }
  return {
    url: `http://127.0.0.1:${String((listener.address() as AddressInfo).port)}` + pathname.replace(/\/$/, ''),
    recorded: () => Buffer.concat(recorded),
    stall: (bytes) =>
      new Promise((resolve) => {
        remaining = bytes
        onStalled = resolve
      }),
    cut,
    restore: (maxBytes = Infinity) => {
      isCut = false
      maxPerConnection = maxBytes
      remaining = Infinity
      for (const browser of browsers) browser.resume()
    },
    stop: async () => {
      cut()
      await listener[Symbol.asyncDispose]()
    },
  }
}
