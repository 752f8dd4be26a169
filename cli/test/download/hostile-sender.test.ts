import { readdir, readFile } from 'node:fs/promises'
import { createFileHeader, createPlainEngine, encryptStream, oneChunk, encryptName } from '@svc/encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { installSvc, type Svc } from '../support/svc.ts'

/** Uploads of a sender who does not encrypt as svc does: the others must arrive all the same. */
let server: Svcd
let owner: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  owner = await installSvc(server.url)
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, owner.close()])
})

const engine = createPlainEngine()

/** The server accepts all that begins with it. */
const magic = 'age-encryption.org/v1\n'

/** An encrypted request, to which anyone sends what they like. */
async function newRequest() {
  const { id, recipient } = (await owner.json(['request', 'new', 'Reports'])) as {
    readonly id: string
    readonly recipient: string
  }
  const encryptionKey = { recipients: [recipient] }
  const encrypted = async (
    text: string,
    other: typeof encryptionKey | { readonly passphrase: string } = encryptionKey,
  ) =>
    Buffer.concat(
      await Array.fromAsync(
        encryptStream(oneChunk(Buffer.from(text)), { header: await createFileHeader(other, engine), engine }),
      ),
    )
  const encryptedName = (name: string) => encryptName(name, encryptionKey, engine)
  const send = async (sender: string, fileName: string, content: Uint8Array) => {
    const upload = await server.client.sendToUploadRequest(id, { sender })
    const { uploadToken } = upload
    const bytes = new Blob([Uint8Array.from(content)])
    const file = await server.client.addFile(upload.id, bytes, { fileName, uploadToken })
    return { id: upload.id, folder: `${id}/${sender} ${upload.id}`, fileID: file.id }
  }
  const get = (...options: readonly string[]) => owner.run(['request', 'get', id, '-o', id, ...options])
  const unseen = async () => ((await owner.json(['request', 'show', id])) as { unseen: number }).unseen
  return { id, encrypted, encryptedName, send, get, unseen }
}

test('a file whose name is not encrypted is saved under its id, with a line that names its sender', async () => {
  const { encrypted, encryptedName, send, get, unseen } = await newRequest()
  const bad = await send('Mallory', 'plain.txt', await encrypted('hostile'))
  const good = await send('Ada', await encryptedName('report.pdf'), await encrypted('the report'))
  const got = await get()
  expect(got).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(
      new RegExp(`upload ${bad.id} of Mallory.*name.*cannot be decrypted.*saved as ${bad.fileID}`),
    ) as string,
  })
  expect(await readFile(owner.path(`${good.folder}/report.pdf`), 'utf8')).toBe('the report')
  expect(await readFile(owner.path(`${bad.folder}/${bad.fileID}`), 'utf8')).toBe('hostile')
  expect(await unseen()).toBe(0)
  expect((await get()).stderr).toBe('no new files\n')
})

test('content that cannot be decrypted is named with its upload and sender, and the rest arrives', async () => {
  const { encrypted, encryptedName, send, get, unseen } = await newRequest()
  const whole = await encrypted('truncated')
  const bad = [
    await send('Eve', await encryptedName('text.txt'), Buffer.from(`${magic}not of age`)),
    await send('Mallory', 'plain.txt', whole.subarray(0, -3)),
    await send('Oscar', await encryptedName('locked.txt'), await encrypted('locked', { passphrase: 'a' })),
    await send('Trudy', await encryptedName('empty.txt'), Buffer.from(magic)),
  ]
  const good = await send('Ada', await encryptedName('report.pdf'), await encrypted('the report'))
  const { status, stderr } = await get()
  expect(status).toBe(3)
  for (const [index, sender] of ['Eve', 'Mallory', 'Oscar', 'Trudy'].entries())
    expect(stderr).toMatch(new RegExp(`upload ${bad[index]?.id ?? ''} of ${sender}:`))
  expect(await readFile(owner.path(`${good.folder}/report.pdf`), 'utf8')).toBe('the report')
  expect(await unseen()).toBe(5)
})

test('while svc watches, it reports a file that cannot be decrypted once, and fetches what comes later', async () => {
  const { id, encrypted, encryptedName, send } = await newRequest()
  const bad = await send('Mallory', 'plain.txt', Buffer.from(`${magic}not of age`))
  const watching = owner.start(['request', 'get', id, '--watch', '-o', id])
  await until('the file has failed', () => watching.stderr().includes(bad.id))
  const good = await send('Ada', await encryptedName('report.pdf'), await encrypted('the report'))
  await until('the file has come', () => watching.output().includes('report.pdf'))
  watching.child.kill('SIGINT')
  const { stderr } = await watching.ended
  expect(stderr.match(/upload \w+ of Mallory: /g)).toHaveLength(1)
  expect(await readdir(owner.path(good.folder))).toEqual(['report.pdf'])
})

test('the owner of a request shows and deletes one of its uploads by its id', async () => {
  await newRequest()
  const { encrypted, send } = await newRequest()
  const bad = await send('Mallory', 'plain.txt', await encrypted('hostile'))
  const other = await send('Ada', 'other.txt', await encrypted('other'))
  await newRequest()
  expect(await owner.json(['info', bad.id])).toMatchObject({ id: bad.id, sender: 'Mallory' })
  const removed = await owner.run(['rm', bad.id])
  expect(removed).toMatchObject({ status: 0, output: `deleted upload ${bad.id}\n` })
  expect((await owner.run(['info', bad.id])).status).toBe(1)
  expect((await owner.run(['info', other.id])).status).toBe(0)
})
