import { startThread } from '../../platform/start-thread.ts'
import type { Hashes, HashResponse, HashRequest, HashWorkerData } from './hash-messages.ts'

/** Hashes one body. Responses arrive in the order of the calls. */
export interface BodyHasher {
  /** @param read called once the bytes are no longer needed; not called after a failure or `drop` */
  readonly update: (bytes: Uint8Array, read: () => void) => void
  /** Ends the body and resolves with its hashes. Rejects when the thread stops. */
  readonly digest: () => Promise<Hashes>
  /** Ends the body without a result. Does nothing if the body has already ended. */
  readonly drop: () => void
}

export interface HashThread {
  /** The number of open bodies of the thread. */
  readonly bodies: number
  open(onFailure: (error: Error) => void): BodyHasher
  stop(): Promise<void>
}

/** A hash thread has stopped; its bodies are lost. */
export class HashThreadError extends Error {
  override readonly name = 'HashThreadError'
}

interface Body {
  readonly onFailure: (error: Error) => void
  /** One callback for each pending update, in order. */
  readonly reads: (() => void)[]
  digested?: PromiseWithResolvers<Hashes>
}

/** @param onEnd called once when the thread has stopped */
export function startHashThread(data: HashWorkerData, onEnd: () => void): HashThread {
  const bodies = new Map<number, Body>()
  let lastBody = 0
  let stopped: HashThreadError | undefined
  const { worker, markBusy, markIdle } = startThread({
    program: 'hash-worker',
    neighbour: import.meta.url,
    name: 'hash',
    workerData: data,
    onEnd: (cause) => {
      onEnd()
      const error = (stopped = new HashThreadError('a hash thread has stopped', { cause }))
      const lost = [...bodies.values()]
      bodies.clear()
      for (const body of lost) {
        body.digested?.reject(error)
        body.onFailure(error)
      }
    },
  })

  const forget = (id: number) => {
    bodies.delete(id)
    if (bodies.size === 0) markIdle()
  }
  worker.on('message', ({ body: id, hashes }: HashResponse) => {
    const body = bodies.get(id)
    if (body === undefined) return
    if (hashes === undefined) {
      body.reads.shift()?.()
      return
    }
    forget(id)
    body.digested?.resolve(hashes)
  })

  const post = (request: HashRequest) => {
    worker.postMessage(request)
  }

  return {
    get bodies() {
      return bodies.size
    },
    open(onFailure) {
      const id = ++lastBody
      const body: Body = { onFailure, reads: [] }
      if (bodies.size === 0) markBusy()
      bodies.set(id, body)
      return {
        update(bytes, read) {
          body.reads.push(read)
          const { buffer, byteOffset: address, length } = bytes
          // A message with a few numbers is smaller than one with memory.
          post(buffer === data.memory.buffer ? { body: id, block: { address, length } } : { body: id, bytes })
        },
        async digest() {
          if (stopped !== undefined) throw stopped
          body.digested = Promise.withResolvers<Hashes>()
          post({ body: id, end: 'digest' })
          return body.digested.promise
        },
        drop() {
          if (!bodies.has(id)) return
          forget(id)
          post({ body: id, end: 'drop' })
        },
      }
    },
    async stop() {
      await worker.terminate()
    },
  }
}
