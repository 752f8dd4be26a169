import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** The way between a browser and a server, in the open. */
export interface Wire {
  /** What the browser is told instead of the server's address. */
  readonly url: string
  /** Every byte that went either way. */
  readonly heard: () => Buffer
  /** Cuts what is open, and refuses what is new, until it is mended. */
  readonly cut: () => void
  readonly mend: () => void
  readonly stop: () => Promise<void>
}

export async function tapWire(server: string): Promise<Wire> {
  const { hostname, port } = new URL(server)
  const heard: Buffer[] = []
  const open = new Set<Socket>()
  let isCut = false
  const listener = createServer((browser) => {
    if (isCut) {
      browser.destroy()
      return
    }
    const upstream = connect(Number(port), hostname)
    for (const [from, to] of [
      [browser, upstream],
      [upstream, browser],
    ] as const) {
      open.add(from)
      from.on('data', (bytes) => heard.push(Buffer.from(bytes)))
      from.on('error', () => undefined)
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const cut = () => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${String((listener.address() as AddressInfo).port)}`,
    heard: () => Buffer.concat(heard),
    cut,
    mend: () => {
      isCut = false
    },
    stop: async () => {
      cut()
      await listener[Symbol.asyncDispose]()
    },
  }
}
