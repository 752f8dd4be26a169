import { savingFolder, type FromPage, type FromWorker, type Offer } from './worker/messages.ts'
import { keepAlive, rejectedByBrowser, startWorker } from './start-worker.ts'
import { SavingError, type SaveOptions, type Target } from './target.ts'

/** ms from the end of a download to the removal of its frame. */
const frameRemovalDelay = 60_000

/** Makes the browser request an address of the worker. A link with `download` would bypass the worker. */
function openFrame(url: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.title = ''
  frame.src = url
  document.body.append(frame)
  return frame
}

/**
 * Waits for messages of the worker.
 * @param port the page's end of the channel
 */
function receiveMessages(port: MessagePort, signal: AbortSignal) {
  const received: FromWorker[] = []
  let wake: (() => void) | undefined
  let failure: { readonly error: unknown } | undefined
  const fail = (error: unknown) => {
    failure ??= { error }
    wake?.()
  }
  port.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data === 'cancelled') fail(new SavingError('given_up', 'the download was cancelled'))
    received.push(data)
    wake?.()
  }
  // Browsers with a close event report the end of the worker, so that the page does not wait.
  port.addEventListener('close', () => fail(new SavingError('given_up', 'the browser ended the download')))
  signal.addEventListener('abort', () => fail(signal.reason))
  return {
    fail,
    next: async (): Promise<FromWorker> => {
      for (;;) {
        if (failure !== undefined) throw failure.error
        const message = received.shift()
        if (message !== undefined) return message
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

interface Sink {
  readonly worker: ServiceWorker
  readonly fileName: string
}

async function save({ worker, fileName }: Sink, { content, size, signal }: SaveOptions): Promise<void> {
  const { port1: port, port2 } = new MessageChannel()
  const send = (message: FromPage) => {
    port.postMessage(message, message instanceof Uint8Array ? [message.buffer] : [])
  }
  const messages = receiveMessages(port, signal)
  const id = crypto.randomUUID()
  worker.postMessage({ kind: 'offer', id, fileName, size } satisfies Offer, [port2])
  const stopKeepAlive = keepAlive(worker)
  let frame: HTMLIFrameElement | undefined
  try {
    await messages.next()
    frame = openFrame(new URL(savingFolder + id, document.baseURI).href)
    // A frame does not show a download: if it loads a document, the response came from the server.
    const onDocument = () => messages.fail(rejectedByBrowser())
    frame.addEventListener('load', onDocument)
    await messages.next()
    frame.removeEventListener('load', onDocument)
    for (;;) {
      await messages.next()
      const { done, value } = await content.next()
      if (done === true) break
      send(value)
    }
    send('end')
  } catch (error) {
    send('broken')
    throw error
  } finally {
    stopKeepAlive()
    setTimeout(() => {
      frame?.remove()
      port.close()
    }, frameRemovalDelay)
  }
}

/**
 * Streams a file to a download of the browser through a service worker, with constant memory. The list of downloads shows it.
 * The page must stay open, because it decrypts.
 * @throws SavingError `not_taken`
 */
export async function browserTarget(fileName: string): Promise<Target> {
  const worker = await startWorker()
  return { save: (saving) => save({ worker, fileName }, saving), cancel: () => Promise.resolve() }
}
