import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy between a browser and a server, which records the bytes. */
export interface Wire {
  /** The address for the browser instead of that of the server. */
  readonly url: string
  /** Every byte in either direction. */
  readonly heard: () => Buffer
  /**
   * Passes this number of further bytes to the server, and none after them until the proxy is repaired.
   * Resolves when they have passed.
   */
  readonly stall: (bytes: number) => Promise<void>
  /** Cuts open connections, and rejects new ones. */
  readonly cut: () => void
  readonly mend: () => void
  readonly stop: () => Promise<void>
}

export async function tapWire(server: string): Promise<Wire> {
  const { hostname, port, pathname } = new URL(server)
  const heard: Buffer[] = []
  const browsers = new Set<Socket>()
  let isCut = false
  let room = Infinity
  let onStalled: (() => void) | undefined
  const pass = (bytes: Buffer, upstream: Socket) => {
    heard.push(bytes)
    room -= bytes.length
    upstream.write(bytes)
    if (room > 0) return
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
    browser.on('data', (bytes: Buffer) => pass(bytes, upstream))
    upstream.on('data', (bytes: Buffer) => heard.push(bytes))
    upstream.pipe(browser)
    if (room <= 0) browser.pause()
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
    heard: () => Buffer.concat(heard),
    stall: (bytes) =>
      new Promise((resolve) => {
        room = bytes
        onStalled = resolve
      }),
    cut,
    mend: () => {
      isCut = false
      room = Infinity
      for (const browser of browsers) browser.resume()
    },
    stop: async () => {
      cut()
      await listener[Symbol.asyncDispose]()
    },
  }
}
