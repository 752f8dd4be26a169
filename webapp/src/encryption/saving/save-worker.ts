import type { FromPage, FromWorker, Offer, StayAwake } from './messages.ts'

// A service worker: it lets the browser save what the page decrypts as it comes, as if a server had sent it. It answers
// addresses that the page has just made up, and nothing else. It is built as a script of its own, without imports.

/** What the DOM's types do not know of a service worker. */
interface AskEvent extends Event {
  readonly request: Request
  readonly respondWith: (response: Response) => void
}
interface WorkerScope {
  readonly skipWaiting: () => Promise<void>
}

interface Offered extends Offer {
  readonly port: MessagePort
}

const offers = new Map<string, Offered>()

const tell = (port: MessagePort, message: FromWorker): void => {
  port.postMessage(message)
}

/** Asks the page for a chunk whenever the browser has room for one. */
function streamFrom(port: MessagePort): ReadableStream<Uint8Array<ArrayBuffer>> {
  let wanted: (() => void) | undefined
  return new ReadableStream({
    start: (controller) => {
      port.onmessage = ({ data }: MessageEvent<FromPage>) => {
        if (data === 'end') controller.close()
        else if (data === 'broken') controller.error(new Error('the file is not whole'))
        else controller.enqueue(data)
        wanted?.()
      }
    },
    pull: () =>
      new Promise<void>((resolve) => {
        wanted = resolve
        tell(port, 'more')
      }),
    cancel: () => {
      tell(port, 'cancelled')
    },
  })
}

/** The name for a header (RFC 8187). */
const encodedName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)

function answer({ port, fileName, size }: Offered): Response {
  tell(port, 'asked')
  return new Response(streamFrom(port), {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodedName(fileName)}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      ...(size !== undefined && { 'content-length': String(size) }),
    },
  })
}

addEventListener('install', () => {
  void (globalThis as unknown as WorkerScope).skipWaiting()
})

addEventListener('message', ({ data, ports }: MessageEvent<Offer | StayAwake>) => {
  const [port] = ports
  if (data.kind !== 'offer' || port === undefined) return
  offers.set(data.id, { ...data, port })
  tell(port, 'known')
})

addEventListener('fetch', (event) => {
  const { request, respondWith } = event as AskEvent
  const id = new URL(request.url).pathname.split('/').at(-1) ?? ''
  const offered = offers.get(id)
  if (offered === undefined) return
  offers.delete(id)
  respondWith.call(event, answer(offered))
})
