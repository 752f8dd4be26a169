import { open } from 'node:fs/promises'
import { createFileHeader, decryptStream, encryptStream } from '@svc/encryption'
import { createNodeEngine, bytesOf, writeChunks } from '@svc/encryption/node'

/**
 * Encrypts a file for a recipient, or decrypts it with an identity: `encrypt|decrypt KEY FROM TO`. Prints its
 * peak memory in bytes.
 */
const [, , way = '', key = '', from = '', to = ''] = process.argv
const engine = createNodeEngine()
const [input, output] = await Promise.all([open(from), open(to, 'w')])
const source = bytesOf(input)
const chunks =
  way === 'encrypt'
    ? encryptStream(source, { header: await createFileHeader({ recipients: [key] }, engine), engine })
    : decryptStream(source, { keys: { identities: [key] }, engine })
await writeChunks(output, chunks, engine)
await Promise.all([input.close(), output.close(), engine.close()])
console.log(String(process.resourceUsage().maxRSS * 1024))
