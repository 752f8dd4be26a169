import { servePlayer } from './serve-player.ts'
import type { ClientIdRequest } from './player-messages.ts'
import type { Offer, KeepAlive } from './messages.ts'
import { streamFrom, post } from './stream-from.ts'

// A service worker that streams files from the page, which decrypts them, to downloads of the browser. It only serves
// addresses that the page has created, and those of its player. It is built as a separate script that includes its imports
// and shares none with the page.

/** Parts of a service worker that the types of the DOM lack. */
interface AskEvent extends Event {
  readonly request: Request
  readonly respondWith: (response: Response | Promise<Response>) => void
}
interface WorkerScope {
  readonly skipWaiting: () => Promise<void>
}

interface Offered extends Offer {
  readonly port: MessagePort
}

const offers = new Map<string, Offered>()

/** The name for a header (RFC 8187). */
const encodedName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)

function responseTo({ port, fileName, size }: Offered): Response {
  post(port, 'asked')
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

addEventListener('message', ({ data, ports, source }: MessageEvent<Offer | KeepAlive | ClientIdRequest>) => {
  const [port] = ports
  if (data.kind === 'stayAwake' || port === undefined) return
  if (data.kind === 'whoAmI') {
    port.postMessage((source as unknown as { readonly id: string }).id)
    return
  }
  offers.set(data.id, { ...data, port })
  post(port, 'known')
})

addEventListener('fetch', (event) => {
  const { request, respondWith } = event as AskEvent
  const played = servePlayer(request)
  if (played !== undefined) {
    respondWith.call(event, played)
    return
  }
  const id = new URL(request.url).pathname.split('/').at(-1) ?? ''
  const offered = offers.get(id)
  if (offered === undefined) return
  offers.delete(id)
  respondWith.call(event, responseTo(offered))
})
