import { open } from 'node:fs/promises'
import { decryptStream, type DecryptOptions } from '@svc/encryption'
import { writeChunks } from '@svc/encryption/node'
import { localFailure } from '../errors/failure.ts'
import { errorMessage } from '../errors/error-message.ts'
import { createGrowingFile, type GrowingFile } from '../files/growing-file.ts'
import type { Sink } from '../files/sink.ts'

export interface DecryptionOptions extends DecryptOptions {
  /** Path of the encrypted file, which may still grow. */
  readonly from: string
  /** Path of the content. It is not the finished file before `finish` resolves. */
  readonly to: string
}

/** The decryption of a file during its download. */
export interface Decryption {
  /**
   * Reports the downloaded bytes of the encrypted file.
   * @throws the error of the decryption, as soon as it is known
   */
  readonly grownTo: (position: number) => void
  /**
   * Resolves when every byte has been authenticated and written.
   * @throws EncryptionError, Failure
   */
  readonly finish: () => Promise<void>
  /** Stops the decryption. Never rejects. */
  readonly cancel: () => Promise<void>
}

export function startDecryption(options: DecryptionOptions): Decryption {
  const growing = createGrowingFile()
  const stop = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  const done = decryptFile({ ...options, signal }, growing)
  let failure: { readonly error: unknown } | undefined
  done.catch((error: unknown) => {
    failure = { error }
  })
  return {
    grownTo(position) {
      if (failure !== undefined) throw failure.error
      growing.grownTo(position)
    },
    async finish() {
      growing.end()
      await done
    },
    async cancel() {
      stop.abort()
      await done.catch(() => undefined)
    },
  }
}

async function decryptFile({ from, to, ...options }: DecryptionOptions, growing: GrowingFile): Promise<void> {
  try {
    await using input = await open(from, 'r')
    await using output = await open(to, 'w')
    await writeChunks(output, decryptStream(growing.bytesOf(input), options), options.engine)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw localFailure(`${to}: ${errorMessage(error)}`, error)
  }
}

/** The encryption has errors with codes, too. */
const isSystemError = (error: unknown) => error instanceof Error && 'errno' in error

/**
 * A sink whose bytes are decrypted during the download.
 * @param onError `stop` ends the download when the file cannot be decrypted; `wait` reports it by `finish`, so that a one-shot
 * file is not lost
 */
export function decryptedSink(sink: Sink, decryption: Decryption, onError: 'stop' | 'wait'): Sink {
  const reportProgress = () => {
    try {
      decryption.grownTo(sink.position())
    } catch (error) {
      if (onError === 'stop') throw error
    }
  }
  reportProgress()
  return {
    ...sink,
    async write(chunks) {
      await sink.write(chunks)
      reportProgress()
    },
  }
}
