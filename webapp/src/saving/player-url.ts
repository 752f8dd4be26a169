import type { DecryptedFile } from '../encryption/open-decrypted.ts'
import { savingFolder, type FromPage, type FromWorker } from './worker/messages.ts'
import { SavingError } from './target.ts'
import { keepAlive, startWorker } from './start-worker.ts'
import type { ContentHead, RangeRequest, ClientIdRequest } from './worker/player-messages.ts'

/** Addresses for a player in a frame. */
export interface Playable {
  /** Address of an empty document that contains the player. */
  readonly frame: string
  /** Address of the content, valid only in that document. */
  readonly content: string
}

/** ms for the worker's response. A worker of an earlier version does not know the message. */
const responseTimeout = 5000
/** Maximum number of open ranges. Players do not always cancel a range that they no longer need. */
const maxRanges = 3

/** @throws SavingError `not_taken` */
function idOfThisPage(worker: ServiceWorker): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const { port1, port2 } = new MessageChannel()
  const timer = setTimeout(() => {
    reject(new SavingError('not_taken', 'the service worker does not respond'))
  }, responseTimeout)
  port1.onmessage = ({ data }: MessageEvent<string>) => {
    clearTimeout(timer)
    resolve(data)
  }
  worker.postMessage({ kind: 'whoAmI' } satisfies ClientIdRequest, [port2])
  return promise
}

/** Sends the requested range to a player, one chunk for each request. */
function sendRange(
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
 * Serves a decrypted file to a player in ranges, with the memory of one or two chunks.
 * @param signal ends the service
 * @throws SavingError `not_taken` where there is no service worker
 */
export async function createPlayerURL(file: DecryptedFile, signal: AbortSignal): Promise<Playable> {
  const worker = await startWorker()
  const client = await idOfThisPage(worker)
  const id = crypto.randomUUID()
  const running: AbortController[] = []
  const onMessage = ({ data, ports: [port] }: MessageEvent<RangeRequest>) => {
    if (data.id !== id || port === undefined) return
    running.push(sendRange(file, data, port, signal))
    if (running.length > maxRanges) running.shift()?.abort()
  }
  signal.throwIfAborted()
  navigator.serviceWorker.addEventListener('message', onMessage)
  navigator.serviceWorker.startMessages()
  const stopKeepAlive = keepAlive(worker)
  signal.addEventListener('abort', () => {
    stopKeepAlive()
    navigator.serviceWorker.removeEventListener('message', onMessage)
  })
  const address = (name: string) => new URL(savingFolder + name, document.baseURI).href
  return {
    frame: address('player'),
    content: address(`content?${new URLSearchParams({ client, id }).toString()}`),
  }
}
