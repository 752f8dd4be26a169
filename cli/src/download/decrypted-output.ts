import type { Writable } from 'node:stream'
import { decryptStream, type DecryptOptions } from '@svc/encryption'
import { createHandOver } from './hand-over.ts'
import { passingSink, writeOut, type Sink } from './sink.ts'

/** A sink for encrypted bytes that comes to its end. */
export interface DecryptedOutput extends Sink {
  /** Resolves when every byte has been authenticated and written. @throws EncryptionError, Failure */
  readonly finish: () => Promise<void>
}

/**
 * Standard output for the content of encrypted bytes: each chunk is authenticated before it is written.
 * @param verify whether the checksum of the encrypted bytes will be asked for
 */
export function decryptedOutput(
  output: Writable,
  { verify, ...options }: DecryptOptions & { readonly verify: boolean },
): DecryptedOutput {
  const encrypted = createHandOver()
  const write = async () => {
    for await (const chunk of decryptStream(encrypted.pieces(), options)) await writeOut(output, chunk)
  }
  const done = write()
  let failure: { readonly error: unknown } | undefined
  done.catch((error: unknown) => {
    failure = { error }
  })
  const pass = (chunk: Buffer) => {
    if (failure !== undefined) throw failure.error
    return Promise.race([encrypted.give(chunk), done])
  }
  return {
    ...passingSink(pass, verify),
    async finish() {
      encrypted.end()
      await done
    },
  }
}
