import { activated } from '../service-worker/activated.ts'
import { savingFolder, savingScript, type KeepAlive } from './worker/messages.ts'
import { SavingError } from './target.ts'

/** ms between messages: browsers end a worker that gets none for half a minute. */
const keepAliveInterval = 10_000

export const rejectedByBrowser = (cause?: unknown) =>
  new SavingError('not_taken', 'the browser does not let this page hand it a download', cause)

/** @throws SavingError `not_taken` on pages over HTTP, in some private windows, and where workers are forbidden */
export async function startWorker(): Promise<ServiceWorker> {
  const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer }
  if (serviceWorker === undefined) throw rejectedByBrowser()
  const scope = new URL(savingFolder, document.baseURI).href
  try {
    return await activated(await serviceWorker.register(new URL(savingScript, document.baseURI), { scope }))
  } catch (error) {
    throw rejectedByBrowser(error)
  }
}

/**
 * Keeps the browser from ending the worker as idle.
 * @returns stops the messages
 */
export function keepAlive(worker: ServiceWorker): () => void {
  const timer = setInterval(() => {
    worker.postMessage({ kind: 'stayAwake' } satisfies KeepAlive)
  }, keepAliveInterval)
  return () => {
    clearInterval(timer)
  }
}
