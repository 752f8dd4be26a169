import type { Worker } from 'node:worker_threads'
import { fairQueue } from '../domain/fair-queue.ts'
import { tooManyCodes } from '../domain/errors.ts'
import { startThread } from '../platform/start-thread.ts'

/** To the thread. @see QrCodes */
export interface QrRequest {
  readonly number: number
  readonly url: string
  /** Pixels of each side. */
  readonly size: number
}

export type QrCode =
  /** A PNG. */
  | { readonly kind: 'drawn'; readonly image: Uint8Array }
  /** The code of this text needs so many pixels. */
  | { readonly kind: 'too small'; readonly least: number }
  /** There is no code that large. */
  | { readonly kind: 'too long' }

/** From the thread. */
export interface QrAnswer {
  readonly number: number
  readonly code: QrCode
}

/** The thread that draws codes has died: what it had is lost. */
class QrThreadError extends Error {
  override readonly name = 'QrThreadError'
}

export interface QrCodes {
  /**
   * Draws the code of a text. @param network who asks: networks take turns
   * @throws ServiceError `unavailable` when too many are waiting
   */
  readonly draw: (text: Pick<QrRequest, 'url' | 'size'>, network: string) => Promise<QrCode>
  readonly close: () => Promise<void>
}

/** How many may wait, some seconds of work. */
const mostWaiting = 64

/**
 * QR codes, drawn on a thread, one after the other: a large one takes a tenth of a second, which the event loop has not. The
 * thread is started with the first code, as few instances ever draw one.
 */
export function qrCodes(): QrCodes {
  const queue = fairQueue<'codes'>({ parallel: 1, most: mostWaiting, full: tooManyCodes })
  const asked = new Map<number, PromiseWithResolvers<QrCode>>()
  let last = 0
  let worker: Worker | undefined

  const start = (): Worker => {
    const started = startThread({
      program: 'qr-worker',
      neighbour: import.meta.url,
      name: 'QR codes',
      onEnd: (cause) => {
        worker = undefined
        const error = new QrThreadError('the thread that draws QR codes has stopped', { cause })
        for (const { reject } of asked.values()) reject(error)
        asked.clear()
      },
    })
    started.on('message', ({ number, code }: QrAnswer) => {
      asked.get(number)?.resolve(code)
      asked.delete(number)
      started.unref()
    })
    return started
  }
  const ask = (text: Pick<QrRequest, 'url' | 'size'>): Promise<QrCode> => {
    worker ??= start()
    worker.ref()
    const answer = Promise.withResolvers<QrCode>()
    asked.set(++last, answer)
    worker.postMessage({ number: last, url: text.url, size: text.size } satisfies QrRequest)
    return answer.promise
  }

  return {
    draw: (text, network) => queue.run({ line: 'codes', network }, () => ask(text)),
    async close() {
      await worker?.terminate()
    },
  }
}
