import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { decryptStream, type DecryptOptions } from '@svc/encryption'
import type { DownloadRules } from '@svc/sdk'
import { createBytePipe } from './byte-pipe.ts'
import type { ExpectedContent } from '../sources/source.ts'
import { changedFailure } from './decrypted-content.ts'
import { passThroughSink, writeOut, type Sink } from '../files/sink.ts'

/** A sink for encrypted bytes with an end. */
export interface DecryptedOutput extends Sink {
  /**
   * Resolves when every byte has been authenticated and written.
   * @throws EncryptionError, Failure, ManifestFailure
   */
  readonly finish: () => Promise<void>
}

/**
 * Standard output for the content of encrypted bytes: each chunk is authenticated before it is written.
 * @param upload the upload of the file
 * @param expected what the content must be; known only at the end
 */
export function decryptedOutput(
  output: Writable,
  options: DecryptOptions,
  { upload, expected }: { readonly upload: DownloadRules; readonly expected: ExpectedContent | undefined },
): DecryptedOutput {
  const encrypted = createBytePipe()
  const write = async () => {
    const hash = expected && createHash('sha256')
    for await (const chunk of decryptStream(encrypted.receive(), options)) {
      hash?.update(chunk)
      await writeOut(output, chunk)
    }
    if (hash && hash.digest('hex') !== expected?.sha256) throw changedFailure(upload)
  }
  const done = write()
  let failure: { readonly error: unknown } | undefined
  done.catch((error: unknown) => {
    failure = { error }
  })
  const pass = (chunk: Uint8Array) => {
    if (failure !== undefined) throw failure.error
    return Promise.race([encrypted.send(chunk), done])
  }
  return {
    ...passThroughSink(pass, undefined),
    async finish() {
      encrypted.close()
      await done
    },
  }
}
