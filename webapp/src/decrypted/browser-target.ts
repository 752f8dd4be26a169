import {
  savingFolder,
  type FromPage,
  type FromWorker,
  type Offer,
  type KeepAlive,
} from './worker/messages.ts'
import { rejectedByBrowser, startWorker } from './start-worker.ts'
import { SavingError, type SaveOptions, type Target } from './target.ts'

/** ms between two signs of life: a worker that hears nothing for half a minute is ended by its browser. */
const signOfLife = 10_000
/** ms for which a frame outlives its download. */
const afterlife = 60_000

/** Has the browser ask for an address that the worker answers. A link with `download` would pass the worker by. */
function openFrame(url: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.title = ''
  frame.src = url
  document.body.append(frame)
  return frame
}

/** Waits for what the worker says. @param port its other end */
function listening(port: MessagePort, signal: AbortSignal) {
  const heard: FromWorker[] = []
  let wake: (() => void) | undefined
  let failure: { readonly error: unknown } | undefined
  const fail = (error: unknown) => {
    failure ??= { error }
    wake?.()
  }
  port.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data === 'cancelled') fail(new SavingError('given_up', 'the download was cancelled'))
    heard.push(data)
    wake?.()
  }
  // Where the browser says so, a worker that was ended does not leave the page waiting.
  port.addEventListener('close', () => fail(new SavingError('given_up', 'the browser ended the download')))
  signal.addEventListener('abort', () => fail(signal.reason))
  return {
    fail,
    next: async (): Promise<FromWorker> => {
      for (;;) {
        if (failure !== undefined) throw failure.error
        const message = heard.shift()
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
  const worried = listening(port, signal)
  const id = crypto.randomUUID()
  worker.postMessage({ kind: 'offer', id, fileName, size } satisfies Offer, [port2])
  const alive = setInterval(() => {
    worker.postMessage({ kind: 'stayAwake' } satisfies KeepAlive)
  }, signOfLife)
  let frame: HTMLIFrameElement | undefined
  try {
    await worried.next()
    frame = openFrame(new URL(savingFolder + id, document.baseURI).href)
    // A download is nothing that a frame could show: if it shows something, it came from the server.
    const shown = () => worried.fail(rejectedByBrowser())
    frame.addEventListener('load', shown)
    await worried.next()
    frame.removeEventListener('load', shown)
    for (;;) {
      await worried.next()
      const { done, value } = await content.next()
      if (done === true) break
      send(value)
    }
    send('end')
  } catch (error) {
    send('broken')
    throw error
  } finally {
    clearInterval(alive)
    setTimeout(() => {
      frame?.remove()
      port.close()
    }, afterlife)
  }
}

/**
 * Hands a file to the browser's own download as it comes, by a service worker: constant memory, and the list of downloads
 * shows it like any other. The page has to stay open, as it decrypts.
 * @throws SavingError `not_taken`
 */
export async function browserTarget(fileName: string): Promise<Target> {
  const worker = await startWorker()
  return { save: (saving) => save({ worker, fileName }, saving), abandon: () => Promise.resolve() }
}
