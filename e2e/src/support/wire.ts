import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** The way between a browser and a server, in the open. */
export interface Wire {
  /** What the browser is told instead of the server's address. */
  readonly url: string
  /** Every byte that went either way. */
  readonly heard: () => Buffer
  /** Lets so many more bytes pass to the server, and none after them until the wire is mended. Resolves when they did. */
  readonly stall: (bytes: number) => Promise<void>
  /** Cuts what is open, and refuses what is new. */
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
