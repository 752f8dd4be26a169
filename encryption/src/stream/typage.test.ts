import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { collected, inChunks, someBytes } from '../../test/bytes.ts'
import { createWasmEngine } from '../../test/wasm-engine.ts'
import { chunkBytes } from '../base/format.ts'
import { createPlainEngine } from '../engine/plain-engine.ts'
import { createFileHeader } from '../header/file-header.ts'
import { createNodeEngine } from '../node/engine.ts'
import { decryptStream } from './decrypt-stream.ts'
import { encryptStream } from './encrypt-stream.ts'

const workFactor = 2
const identity = await generateX25519Identity()
const recipient = await identityToRecipient(identity)

const engines = {
  JavaScript: createPlainEngine(),
  Node: createNodeEngine({ threads: 1 }),
  WebAssembly: createWasmEngine(),
}
afterAll(() => engines.Node.close())

/** A content whose size is around the end of a chunk, read in pieces of another size. */
const contents = fc
  .record({
    chunks: fc.nat(3),
    extra: fc.oneof(fc.constantFrom(-17, -16, -1, 0, 1, 16, 17), fc.integer({ min: -1000, max: 1000 })),
    seed: fc.nat(),
    pieceBytes: fc.integer({ min: 5000, max: 3 * chunkBytes }),
  })
  .map(({ chunks, extra, seed, pieceBytes }) => ({
    content: someBytes(Math.max(0, chunks * chunkBytes + extra), seed),
    pieceBytes,
  }))
/** A passphrase, or undefined for a recipient. */
const passphrases = fc.option(
  fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.isWellFormed()),
  { nil: undefined },
)

describe.for(Object.entries(engines))('by %s and typage', ([, engine]) => {
  test('what one of them encrypts, the other decrypts', async () => {
    await fc.assert(
      fc.asyncProperty(contents, passphrases, async ({ content, pieceBytes }, passphrase) => {
        const encrypter = new Encrypter()
        const decrypter = new Decrypter()
        if (passphrase === undefined) {
          encrypter.addRecipient(recipient)
          decrypter.addIdentity(identity)
        } else {
          encrypter.setPassphrase(passphrase)
          encrypter.setScryptWorkFactor(workFactor)
          decrypter.addPassphrase(passphrase)
        }
        const header = await createFileHeader(
          passphrase === undefined ? { recipients: [recipient] } : { passphrase, workFactor },
          engine,
        )
        const ours = await collected(encryptStream(inChunks(content, pieceBytes), { header, engine }))
        expect(Buffer.compare(await decrypter.decrypt(ours), content)).toBe(0)

        const theirs = await encrypter.encrypt(content)
        expect(theirs).toHaveLength(ours.length)
        const keys = passphrase === undefined ? { identities: [identity] } : { passphrases: [passphrase] }
        const back = await collected(decryptStream(inChunks(theirs, pieceBytes), { keys, engine }))
        expect(Buffer.compare(back, content)).toBe(0)
      }),
      { numRuns: 15 },
    )
  })
})
