import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { someBytes } from '../../test/bytes.ts'
import { decryptStream } from '../stream/decrypt-stream.ts'
import { encryptStream } from '../stream/encrypt-stream.ts'
import { createFileHeader } from '../header/file-header.ts'
import { createNodeEngine, bytesOf, writeChunks } from './index.ts'

test('a file is encrypted and decrypted from disk to disk through reused buffers', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-encryption-'))
  const engine = createNodeEngine({ threads: 2 })
  const at = (name: string) => path.join(folder, name)
  const content = someBytes(9_000_001)
  await writeFile(at('plain'), content)
  try {
    const [plain, encrypted, decrypted] = await Promise.all([
      open(at('plain')),
      open(at('encrypted'), 'w+'),
      open(at('decrypted'), 'w'),
    ])
    const header = await createFileHeader({ passphrase: 'x', workFactor: 2 }, engine)
    await writeChunks(encrypted, encryptStream(bytesOf(plain), { header, engine }), engine)
    await encrypted.close()
    const again = await open(at('encrypted'))
    await writeChunks(
      decrypted,
      decryptStream(bytesOf(again), { keys: { passphrases: ['x'] }, engine }),
      engine,
    )
    await Promise.all([plain, again, decrypted].map((file) => file.close()))
    expect(Buffer.compare(await readFile(at('decrypted')), content)).toBe(0)
  } finally {
    await engine.close()
    await rm(folder, { recursive: true })
  }
})
