import type { TakeShared } from '../../service-worker/messages.ts'
import type { PickedFile } from '../draft/picked-file.ts'

/** Files that other applications shared with the installed one. Returns them once; empty if there are none. */
export function receiveSharedFiles(): Promise<readonly PickedFile[]> {
  const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer }
  const worker = serviceWorker?.controller
  if (!worker) return Promise.resolve([])
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<readonly File[]>) => {
      port1.close()
      resolve(data.map((blob) => ({ blob, name: blob.name })))
    }
    worker.postMessage('takeShared' satisfies TakeShared, [port2])
  })
}
