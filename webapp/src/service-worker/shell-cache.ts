import { shellPart } from './shell-path.ts'
import type { WorkerScope } from './worker-scope.ts'

const cacheName = 'svc-shell'

/** Caches a complete response of the server, but neither errors nor redirects. */
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
 * Lets an installed application open without a connection: caches its page, scripts, styles and pictures, but no data of
 * users.
 */
export function cacheShell(worker: WorkerScope): void {
  worker.addEventListener('activate', (event) => {
    // Deletes the caches of earlier versions. The browser's HTTP cache still has the current parts.
    event.waitUntil(caches.delete(cacheName))
  })
  worker.addEventListener('fetch', (event) => {
    const { request } = event
    const part = shellPart(request.method, request.url, worker.registration.scope)
    if (part === 'lasting') event.respondWith(lasting(request))
    if (part === 'newest') event.respondWith(newest(request))
  })
}
