import type { FromPage, FromWorker } from './messages.ts'

export const post = (port: MessagePort, message: FromWorker): void => {
  port.postMessage(message)
}

/** Requests a chunk from the page whenever the browser has room for one. Runs in the worker. */
export function streamFrom(port: MessagePort): ReadableStream<Uint8Array<ArrayBuffer>> {
  let wanted: (() => void) | undefined
  return new ReadableStream({
    start: (controller) => {
      port.onmessage = ({ data }: MessageEvent<FromPage>) => {
        if (data === 'end') controller.close()
        else if (data === 'broken') controller.error(new Error('the file is not whole'))
        else controller.enqueue(data)
        wanted?.()
      }
    },
    pull: () =>
      new Promise<void>((resolve) => {
        wanted = resolve
        post(port, 'more')
      }),
    cancel: () => {
      post(port, 'cancelled')
    },
  })
}
