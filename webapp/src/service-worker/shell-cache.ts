import { shellPart } from './shell-path.ts'
import type { WorkerScope } from './worker-scope.ts'

const cacheName = 'svc-shell'

/**
 * Caches a complete response of the server, but neither errors nor redirects. A full or blocked storage keeps no response
 * from the page.
 */
async function writeCache(request: Request, response: Response): Promise<void> {
  if (!response.ok || response.redirected || response.type !== 'basic') return
  try {
    const cache = await caches.open(cacheName)
    await cache.put(request, response)
  } catch {
    // The page needs a connection until there is room.
  }
}

const readCache = async (request: Request): Promise<Response | undefined> => {
  try {
    return await (await caches.open(cacheName)).match(request)
  } catch {
    return undefined
  }
}

async function fetchCachedFirst(request: Request): Promise<Response> {
  const copy = await readCache(request)
  if (copy) return copy
  const response = await fetch(request)
  await writeCache(request, response.clone())
  return response
}

async function fetchNewestFirst(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    await writeCache(request, response.clone())
    return response
  } catch (error) {
    const copy = await readCache(request)
    if (copy) return copy
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
    if (part === 'lasting') event.respondWith(fetchCachedFirst(request))
    if (part === 'newest') event.respondWith(fetchNewestFirst(request))
  })
}
