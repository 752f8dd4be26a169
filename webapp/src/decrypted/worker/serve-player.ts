import { streamFrom } from './stream-from.ts'
import type { ContentHead, RangeRequest } from './player-messages.ts'

// For the service worker alone. A player in the page is none of its business, since it answers for `decrypted/` and not for
// the page: so the player sits in a document of that folder.

/** What the DOM's types do not know of a service worker. */
interface Clients {
  readonly get: (
    id: string,
  ) => Promise<
    { readonly postMessage: (message: RangeRequest, transfer: Transferable[]) => void } | undefined
  >
}

/** Empty, for the page to put a player in. Nothing runs in it. */
const frame =
  '<!doctype html><html lang="en" style="height:100%"><head><meta charset="utf-8"><title>player</title></head>' +
  '<body data-player style="height:100%;margin:0;display:flex"></body></html>'

const frameResponse = () =>
  new Response(frame, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
      'x-content-type-options': 'nosniff',
    },
  })

const notFound = () => new Response(null, { status: 404 })

/** The first byte, and the one after the last, if it is said (RFC 9110 §14.2). Players ask for one range. */
function rangeOf(header: string | null): Pick<RangeRequest, 'start' | 'end'> | undefined {
  const [, start, last] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? []
  if (start === undefined) return undefined
  return { start: Number(start), end: last ? Number(last) + 1 : undefined }
}

async function contentResponse(request: Request, query: URLSearchParams): Promise<Response> {
  // A player alone: it never becomes a document of this origin.
  if (request.destination !== 'audio' && request.destination !== 'video') return notFound()
  const { clients } = globalThis as unknown as { readonly clients: Clients }
  const page = await clients.get(query.get('client') ?? '')
  if (page === undefined) return notFound()
  const range = rangeOf(request.headers.get('range'))
  const start = range?.start ?? 0
  const { port1: port, port2 } = new MessageChannel()
  const head = new Promise<ContentHead>((resolve) => {
    port.onmessage = ({ data }: MessageEvent<ContentHead>) => {
      resolve(data)
    }
  })
  page.postMessage({ kind: 'wanted', id: query.get('id') ?? '', start, end: range?.end }, [port2])
  const { size, end } = await head
  if (range !== undefined && start >= end)
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${String(size)}` } })
  const headers = {
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    'content-length': String(end - start),
    'content-security-policy': "default-src 'none'; sandbox",
    ...(range && { 'content-range': `bytes ${String(start)}-${String(end - 1)}/${String(size)}` }),
  }
  return new Response(streamFrom(port), { status: range ? 206 : 200, headers })
}

/** Answers for the document that a player is in, and for what it plays; undefined for anything else. */
export function servePlayer(request: Request): Response | Promise<Response> | undefined {
  const { pathname, searchParams } = new URL(request.url)
  const name = pathname.split('/').at(-1)
  if (name === 'player') return frameResponse()
  return name === 'content' ? contentResponse(request, searchParams) : undefined
}
