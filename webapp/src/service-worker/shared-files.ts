import type { TakeShared } from './messages.ts'
import type { WorkerScope } from './worker-scope.ts'

/** The path for files that users share with the application (`share_target` of the manifest). */
const sharePath = 'share'

/** Shared text becomes a file. Its URL, if any, is the last line. */
function textOf(form: FormData): string {
  return ['title', 'text', 'url']
    .map((name) => form.get(name))
    .filter((part): part is string => typeof part === 'string' && part !== '')
    .join('\n')
}

/**
 * Receives files from other applications, and keeps them in memory until the page requests them, seconds later. They are not
 * stored.
 */
export function handleSharedFiles(worker: WorkerScope): void {
  let pendingFiles: readonly File[] = []
  const { scope } = worker.registration
  const receive = async (request: Request): Promise<Response> => {
    const form = await request.formData()
    const text = textOf(form)
    const files = form.getAll('file').filter((part) => part instanceof File)
    pendingFiles = text === '' ? files : [...files, new File([text], 'text.txt', { type: 'text/plain' })]
    return Response.redirect(scope, 303)
  }
  worker.addEventListener('fetch', (event) => {
    const { method, url } = event.request
    if (method === 'POST' && url === new URL(sharePath, scope).href) event.respondWith(receive(event.request))
  })
  worker.addEventListener('message', ({ data, ports: [port] }) => {
    if (data !== ('takeShared' satisfies TakeShared)) return
    port?.postMessage(pendingFiles)
    pendingFiles = []
  })
}
