import type { BatchDigest, ManifestFile } from '@svc/encryption'
import { expect, test } from 'vitest'
import { queuedEncryptedFile } from './queued-file.ts'

const blob = new File(['content'], 'a.txt', { type: 'text/plain' })
const encryptedSize = (bytes: number) => bytes + 100

/** An encryptor that has read the content, or not. */
const encryptorWith = (sha256: string | undefined) => ({
  encrypt: (file: File, digest?: BatchDigest) =>
    Promise.resolve({
      size: file.size,
      between: () => (digest === undefined ? [] : [new Uint8Array(1)]) as never,
    }),
  digestOf: (): BatchDigest => ({ add: (batch) => Promise.resolve(batch), sha256: () => sha256 }),
})

async function contentOf(name: string, sha256: string | undefined): Promise<ManifestFile | undefined> {
  let content: ManifestFile | undefined
  const queued = queuedEncryptedFile(
    { key: '1', name, blob },
    { encryptor: encryptorWith(sha256), encryptedSize, onContent: (sent) => (content = sent) },
  )
  await queued.open()
  queued.onSent?.('id', { id: 'upload', e2ee: 'age', stream: false })
  return content
}

test('the content of a file is known once it is stored', async () => {
  expect(await contentOf('a.txt', 'abc')).toEqual({ id: 'id', name: 'a.txt', size: 7, sha256: 'abc' })
})

test('content that was not read completely is unknown', async () => {
  expect(await contentOf('a.txt', undefined)).toBeUndefined()
})

test('a file with the name of the manifest gets another one, in the manifest, too; one in a folder keeps it', async () => {
  expect(await contentOf('.svc-manifest.age', 'abc')).toMatchObject({ name: 'svc-manifest.age' })
  expect(await contentOf('folder/.svc-manifest.age', 'abc')).toMatchObject({
    name: 'folder/.svc-manifest.age',
  })
})

test('without a manifest, nothing is hashed', async () => {
  const queued = queuedEncryptedFile(
    { key: '1', name: 'a', blob },
    { encryptor: encryptorWith('abc'), encryptedSize },
  )
  expect(queued.size).toBe(107)
  const source = await queued.open()
  expect('between' in source && [...(source.between(0, 1) as never)]).toEqual([])
})
