import { fairQueue } from '../domain/collections/fair-queue.ts'
import { tooManyCodes } from '../domain/errors.ts'
import { startThread, type Thread } from '../platform/start-thread.ts'

/** A message to the thread. @see QrCodes */
export interface QrRequest {
  readonly number: number
  readonly url: string
  /** Width and height in pixels. */
  readonly size: number
}

export type QrCode =
  /** A PNG. */
  | { readonly kind: 'drawn'; readonly image: Uint8Array }
  /** The code of this text needs at least `minPixels` pixels. */
  | { readonly kind: 'too small'; readonly minPixels: number }
  /** No QR code holds a text of this length. */
  | { readonly kind: 'too long' }

/** A message from the thread. */
export interface QrResponse {
  readonly number: number
  readonly code: QrCode
}

/** The thread that draws codes has stopped; its requests are lost. */
class QrThreadError extends Error {
  override readonly name = 'QrThreadError'
}

export interface QrCodes {
  /**
   * Draws the code of a text.
   * @param network network of the client: the queue is fair between networks
   * @throws ServiceError `unavailable` when too many are waiting
   */
  readonly draw: (text: Pick<QrRequest, 'url' | 'size'>, network: string) => Promise<QrCode>
  readonly close: () => Promise<void>
}

/** Maximum number of waiting requests: some seconds of work. */
const maxWaiting = 64

/**
 * Draws QR codes on a thread, one at a time: a large one takes 0.1 s, which would block the event loop. The thread
 * starts with the first code, since few instances ever draw one.
 */
export function qrCodes(): QrCodes {
  const queue = fairQueue<'codes'>({ parallel: 1, maxWaiting, full: tooManyCodes })
  const pending = new Map<number, PromiseWithResolvers<QrCode>>()
  let lastNumber = 0
  let thread: Thread | undefined

  const start = (): Thread => {
    const started = startThread({
      program: 'qr-worker',
      neighbour: import.meta.url,
      name: 'QR codes',
      onEnd: (cause) => {
        thread = undefined
        const error = new QrThreadError('the thread that draws QR codes has stopped', { cause })
        for (const { reject } of pending.values()) reject(error)
        pending.clear()
      },
    })
    started.worker.on('message', ({ number, code }: QrResponse) => {
      pending.get(number)?.resolve(code)
      pending.delete(number)
      if (pending.size === 0) started.markIdle()
    })
    return started
  }
  const request = (text: Pick<QrRequest, 'url' | 'size'>): Promise<QrCode> => {
    thread ??= start()
    thread.markBusy()
    const response = Promise.withResolvers<QrCode>()
    pending.set(++lastNumber, response)
    thread.worker.postMessage({ number: lastNumber, url: text.url, size: text.size } satisfies QrRequest)
    return response.promise
  }

  return {
    draw: (text, network) => queue.run({ queue: 'codes', network }, () => request(text)),
    async close() {
      await thread?.worker.terminate()
    },
  }
}
