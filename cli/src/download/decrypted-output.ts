import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { decryptStream, type DecryptOptions } from '@svc/encryption'
import { Failure } from '../failure.ts'
import { createHandOver } from './hand-over.ts'
import { outputSink, type Sink } from './sink.ts'

/** A sink for encrypted bytes that comes to its end. */
export interface DecryptedOutput extends Sink {
  /** Resolves when every byte has been authenticated and written. @throws EncryptionError, Failure */
  readonly finish: () => Promise<void>
}

/** Standard output for the content of encrypted bytes: each chunk is authenticated before it is written. */
export function decryptedOutput(output: Writable, options: DecryptOptions): DecryptedOutput {
  const plain = outputSink(output)
  const encrypted = createHandOver()
  const hash = createHash('md5')
  let position = 0
  const write = async () => {
    for await (const chunk of decryptStream(encrypted.pieces(), options))
      await plain.write([Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)])
  }
  const done = write()
  let failure: { readonly error: unknown } | undefined
  done.catch((error: unknown) => {
    failure = { error }
  })
  return {
    position: () => position,
    async write(chunks) {
      for (const chunk of chunks) {
        if (failure !== undefined) throw failure.error
        hash.update(chunk)
        position += chunk.length
        await Promise.race([encrypted.give(chunk), done])
      }
    },
    restart: () =>
      position > 0
        ? Promise.reject(new Failure('the connection broke, and the file cannot be resumed'))
        : Promise.resolve(),
    digest: () => Promise.resolve(hash.digest('hex')),
    close: () => Promise.resolve(),
    async finish() {
      encrypted.end()
      await done
    },
  }
}
