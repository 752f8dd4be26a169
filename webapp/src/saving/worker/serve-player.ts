import { streamFrom } from './stream-from.ts'
import type { ContentHead, RangeRequest } from './player-messages.ts'

// Runs in the service worker, which serves only `decrypted/` and not the requests of the page. So the player is in a document
// of that folder.

/** Parts of a service worker that the types of the DOM lack. */
interface Clients {
  readonly get: (
    id: string,
  ) => Promise<
    { readonly postMessage: (message: RangeRequest, transfer: Transferable[]) => void } | undefined
  >
}

/** An empty document without scripts, to which the page adds a player. */
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

/** The first byte, and the one after the last if the header names it (RFC 9110 §14.2). Players request one range. */
function rangeOf(header: string | null): Pick<RangeRequest, 'start' | 'end'> | undefined {
  const [, start, last] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? []
  if (start === undefined) return undefined
  return { start: Number(start), end: last ? Number(last) + 1 : undefined }
}

async function contentResponse(request: Request, query: URLSearchParams): Promise<Response> {
  // Only for players: the content must not become a document of this origin.
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

/** Responds to requests for the document of a player and for its content; undefined for others. */
export function servePlayer(request: Request): Response | Promise<Response> | undefined {
  const { pathname, searchParams } = new URL(request.url)
  const name = pathname.split('/').at(-1)
  if (name === 'player') return frameResponse()
  return name === 'content' ? contentResponse(request, searchParams) : undefined
}
