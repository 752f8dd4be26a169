import { Writable } from 'node:stream'

/** A connection that reads a chunk only when it has "sent" it, as a socket does. */
export function lateSink() {
  const received: Buffer[] = []
  const sink = new Writable({
    highWaterMark: 16 * 1024,
    write(chunk: Buffer, _encoding, done) {
      setImmediate(() => {
        received.push(Buffer.from(chunk))
        done()
      })
    },
  })
  return { sink, received: () => Buffer.concat(received) }
}

/** A connection whose client reads nothing until `takeOne`. */
export function stalledSink() {
  const waiting: (() => void)[] = []
  let received = 0
  const sink = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      waiting.push(() => {
        received += chunk.length
        done()
      })
    },
  })
  return { sink, received: () => received, takeOne: () => waiting.shift()?.() }
}

/** Stored bytes, read in steps of at most `step` bytes. */
export function stored(bytes: Buffer, step = Infinity) {
  let open = 0
  const reader = () => {
    open += 1
    return Promise.resolve({
      read(into: Uint8Array, position: number) {
        const part = bytes.subarray(position, position + Math.min(into.length, step))
        into.set(part)
        return Promise.resolve(part.length)
      },
      close() {
        open -= 1
        return Promise.resolve()
      },
    })
  }
  return { reader, open: () => open }
}

/** A stream whose chunks have separate memory, which is detached after sending. */
export function streamed(bytes: Buffer, step: number) {
  let running = false
  // eslint-disable-next-line @typescript-eslint/require-await -- a source is asynchronous
  async function* chunks() {
    running = true
    try {
      for (let offset = 0; offset < bytes.length; offset += step)
        yield new Uint8Array(bytes.subarray(offset, offset + step))
    } finally {
      running = false
    }
  }
  return { source: () => Promise.resolve(chunks()), running: () => running }
}
