import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough, type Writable } from 'node:stream'
import { decryptStream, type DecryptOptions } from '@svc/encryption'
import { Failure } from '../failure.ts'
import { outputSink, type Sink } from './sink.ts'

/** A sink for encrypted bytes that comes to its end. */
export interface DecryptedOutput extends Sink {
  /** Resolves when every byte has been authenticated and written. @throws EncryptionError, Failure */
  readonly finish: () => Promise<void>
}

/** Standard output for the content of encrypted bytes: each chunk is authenticated before it is written. */
export function decryptedOutput(output: Writable, options: DecryptOptions): DecryptedOutput {
  const plain = outputSink(output)
  const pipe = new PassThrough()
  const hash = createHash('md5')
  let position = 0
  const write = async () => {
    for await (const chunk of decryptStream(pipe as AsyncIterable<Uint8Array>, options))
      await plain.write([Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)])
  }
  const done = write()
  let failure: { readonly error: unknown } | undefined
  done.catch((error: unknown) => {
    failure = { error }
  })
  // What it fails with is told by whoever reads it.
  pipe.on('error', () => undefined)
  return {
    position: () => position,
    async write(chunks) {
      for (const chunk of chunks) {
        if (failure !== undefined) throw failure.error
        hash.update(chunk)
        position += chunk.length
        if (!pipe.write(chunk)) await Promise.race([once(pipe, 'drain'), done])
      }
    },
    restart: () =>
      position > 0
        ? Promise.reject(new Failure('the connection broke, and the file cannot be resumed'))
        : Promise.resolve(),
    digest: () => Promise.resolve(hash.digest('hex')),
    close: () => {
      pipe.destroy()
      return Promise.resolve()
    },
    async finish() {
      pipe.end()
      await done
    },
  }
}
