import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { createFileHeader, decryptStream, encryptStream } from '@svc/encryption'
import { createNodeEngine } from '@svc/encryption/node'

const run = promisify(execFile)
const terminal = path.join(import.meta.dirname, '../../../../encryption/test/type-passphrase.py')

/** Runs the `age` command, which reads passphrases only from a terminal. */
export const age = (passphrase: string, args: readonly string[]) =>
  run('python3', [terminal, passphrase, '/usr/bin/age', ...args])

/** A file that another program encrypted, by default with a low work factor. */
export async function encrypted(content: Uint8Array, passphrase: string, workFactor = 10): Promise<Buffer> {
  const engine = createNodeEngine()
  const header = await createFileHeader({ passphrase, workFactor }, engine)
  const source = new Blob([new Uint8Array(content)]).stream()
  const chunks = await Array.fromAsync(encryptStream(source, { header, engine }))
  await engine.close()
  return Buffer.concat(chunks)
}

/** The content of a file that a passphrase opens. */
export async function decrypted(file: Uint8Array, passphrase: string): Promise<Buffer> {
  const engine = createNodeEngine()
  const source = new Blob([new Uint8Array(file)]).stream()
  const chunks = await Array.fromAsync(decryptStream(source, { keys: { passphrases: [passphrase] }, engine }))
  await engine.close()
  return Buffer.concat(chunks)
}
