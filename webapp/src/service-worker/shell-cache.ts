import { shellPart } from './shell-path.ts'
import type { WorkerScope } from './worker-scope.ts'

const cacheName = 'svc-shell'

/** Keeps an answer that is whole and our own: neither a refusal nor where something led to. */
async function keep(request: Request, response: Response): Promise<void> {
  if (!response.ok || response.redirected || response.type !== 'basic') return
  const cache = await caches.open(cacheName)
  await cache.put(request, response)
}

async function lasting(request: Request): Promise<Response> {
  const kept = await (await caches.open(cacheName)).match(request)
  if (kept) return kept
  const response = await fetch(request)
  await keep(request, response.clone())
  return response
}

async function newest(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    await keep(request, response.clone())
    return response
  } catch (error) {
    const kept = await (await caches.open(cacheName)).match(request)
    if (kept) return kept
    throw error
  }
}

/**
 * Has an installed application open without a connection: its page, scripts, styles and pictures are kept as they come.
 * Nothing of what people send, fetch or look at ever is.
 */
export function cacheShell(worker: WorkerScope): void {
  worker.addEventListener('activate', (event) => {
    // Parts of earlier versions go; those of this one come again from the browser's own cache.
    event.waitUntil(caches.delete(cacheName))
  })
  worker.addEventListener('fetch', (event) => {
    const { request } = event
    const part = shellPart(request.method, request.url, worker.registration.scope)
    if (part === 'lasting') event.respondWith(lasting(request))
    if (part === 'newest') event.respondWith(newest(request))
  })
}
