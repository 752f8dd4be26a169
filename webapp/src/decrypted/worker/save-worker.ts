import { servePlayer } from './serve-player.ts'
import type { ClientIdRequest } from './player-messages.ts'
import type { Offer, KeepAlive } from './messages.ts'
import { streamFrom, post } from './stream-from.ts'

// A service worker: it lets the browser save what the page decrypts as it comes, as if a server had sent it. It answers
// addresses that the page has just made up, and those of its player, and nothing else. It is built as a separate script,
// whose imports become part of it: nothing of them is shared with the page.

/** What the DOM's types do not know of a service worker. */
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

function answer({ port, fileName, size }: Offered): Response {
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
  respondWith.call(event, answer(offered))
})
