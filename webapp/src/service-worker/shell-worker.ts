import { handleSharedFiles } from './shared-files.ts'
import { cacheShell } from './shell-cache.ts'
import type { WorkerScope } from './worker-scope.ts'

// The service worker of the installed application. It is built as a separate script, in the directory of index.html.
const worker = self as unknown as WorkerScope

worker.addEventListener('install', (event) => {
  event.waitUntil(worker.skipWaiting())
})
handleSharedFiles(worker)
cacheShell(worker)
