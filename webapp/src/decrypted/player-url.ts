import type { DecryptedFile } from '../encryption/open-decrypted.ts'
import { savingFolder, type FromPage, type FromWorker, type KeepAlive } from './worker/messages.ts'
import { SavingError } from './target.ts'
import { startWorker } from './start-worker.ts'
import type { ContentHead, RangeRequest, ClientIdRequest } from './worker/player-messages.ts'

/** Where a player in a frame gets its content. */
export interface Playable {
  /** Address of an empty document, in which a player can be. */
  readonly frame: string
  /** Address of the content, in that document alone. */
  readonly content: string
}

/** ms between two signs of life: a worker that hears nothing for half a minute is ended by its browser. */
const signOfLife = 10_000
/** ms for the worker's answer. One of an earlier version knows no such question. */
const patience = 5000
/** Ranges that are given at a time. Players leave one for another without always saying so. */
const mostRanges = 3

/** @throws SavingError `not_taken` */
function idOfThisPage(worker: ServiceWorker): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const { port1, port2 } = new MessageChannel()
  const timer = setTimeout(() => {
    reject(new SavingError('not_taken', 'the service worker does not answer'))
  }, patience)
  port1.onmessage = ({ data }: MessageEvent<string>) => {
    clearTimeout(timer)
    resolve(data)
  }
  worker.postMessage({ kind: 'whoAmI' } satisfies ClientIdRequest, [port2])
  return promise
}

/** Gives a player the requested range, a chunk whenever it has room. */
function give(
  file: DecryptedFile,
  { start, end: wanted }: RangeRequest,
  port: MessagePort,
  signal: AbortSignal,
) {
  const stop = new AbortController()
  const end = Math.max(start, Math.min(wanted ?? file.size, file.size))
  const content = start < end ? file.read({ start, end }, AbortSignal.any([signal, stop.signal])) : undefined
  const send = (message: FromPage) => {
    port.postMessage(message, message instanceof Uint8Array ? [message.buffer] : [])
  }
  const next = async () => {
    try {
      const result = await content?.next()
      send(result?.value ?? 'end')
    } catch {
      // The player shows the error.
      send('broken')
    }
  }
  port.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data === 'more') void next()
    if (data === 'cancelled') stop.abort()
  }
  port.postMessage({ size: file.size, end } satisfies ContentHead)
  return stop
}

/**
 * Lets a player have a decrypted file in the ranges that it asks for, with the memory of a chunk or two.
 * @param signal ends it
 * @throws SavingError `not_taken` where there is no service worker
 */
export async function createPlayerURL(file: DecryptedFile, signal: AbortSignal): Promise<Playable> {
  const worker = await startWorker()
  const client = await idOfThisPage(worker)
  const id = crypto.randomUUID()
  const given: AbortController[] = []
  const onMessage = ({ data, ports: [port] }: MessageEvent<RangeRequest>) => {
    if (data.id !== id || port === undefined) return
    given.push(give(file, data, port, signal))
    if (given.length > mostRanges) given.shift()?.abort()
  }
  signal.throwIfAborted()
  navigator.serviceWorker.addEventListener('message', onMessage)
  navigator.serviceWorker.startMessages()
  const alive = setInterval(() => {
    worker.postMessage({ kind: 'stayAwake' } satisfies KeepAlive)
  }, signOfLife)
  signal.addEventListener('abort', () => {
    clearInterval(alive)
    navigator.serviceWorker.removeEventListener('message', onMessage)
  })
  const address = (name: string) => new URL(savingFolder + name, document.baseURI).href
  return {
    frame: address('player'),
    content: address(`content?${new URLSearchParams({ client, id }).toString()}`),
  }
}
