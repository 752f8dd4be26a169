import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'

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

/** A request whose senders choose names as they like. */
async function newRequest() {
  const request = (await owner.json(['request', 'new', 'Reports', '--no-encrypt'])) as { readonly id: string }
  const { id } = request
  const newUpload = async (sender: string) => {
    const { id: uploadID, uploadToken } = await server.client.sendToUploadRequest(id, { sender })
    const access = { uploadToken }
    return {
      id: uploadID,
      add: (fileName: string, content: string) =>
        server.client.addFile(uploadID, new Blob([content]), { fileName, ...access }),
      remove: (file: { readonly id: string; readonly fileName: string }) =>
        server.client.removeFile(uploadID, file, access),
    }
  }
  const get = (...options: readonly string[]) => owner.run(['request', 'get', id, '-o', id, ...options])
  /** The contents of what was fetched from an upload, by name. */
  const fetched = async (upload: { readonly id: string }) => {
    const folders = await readdir(owner.path(id))
    const folder = folders.find((name) => name.endsWith(upload.id)) ?? `no folder of ${upload.id}`
    const names = await readdir(owner.path(`${id}/${folder}`))
    const contents = names.map(async (name) => [
      name,
      await readFile(owner.path(`${id}/${folder}/${name}`), 'utf8'),
    ])
    return Object.fromEntries(await Promise.all(contents)) as Record<string, string>
  }
  const unseen = async () => ((await owner.json(['request', 'show', id])) as { unseen: number }).unseen
  return { newUpload, get, fetched, unseen, id }
}

test('uploads of a sender with a long name have separate folders', async () => {
  const { newUpload, get, fetched } = await newRequest()
  const first = await newUpload('雪'.repeat(100))
  await first.add('report.pdf', 'first')
  const second = await newUpload('雪'.repeat(100))
  await second.add('report.pdf', 'second')
  expect(await get()).toMatchObject({ status: 0 })
  expect(await fetched(first)).toEqual({ 'report.pdf': 'first' })
  expect(await fetched(second)).toEqual({ 'report.pdf': 'second' })
})

test('the output names the folders of files that have the same name', async () => {
  const { url, id } = (await owner.json(['request', 'new', 'Photos'])) as {
    readonly url: string
    readonly id: string
  }
  for (const folder of ['spring', 'autumn']) {
    await mkdir(owner.path(`photos/${folder}`), { recursive: true })
    await writeFile(owner.path(`photos/${folder}/a.jpg`), folder)
  }
  expect(await owner.run(['send', url, 'photos'])).toMatchObject({ status: 0 })
  const { status, stderr } = await owner.run(['request', 'get', id, '-o', id])
  expect([status, stderr.match(/^got: .*$/gm)?.toSorted()]).toEqual([
    0,
    ['got: photos/autumn/a.jpg', 'got: photos/spring/a.jpg'],
  ])
})

test('a file that is added later is fetched, even with the name of one that is there', async () => {
  const { newUpload, get, fetched } = await newRequest()
  const upload = await newUpload('Eve')
  const first = await upload.add('same.txt', 'one')
  await get()
  const two = await upload.add('same.txt', 'two')
  expect(await get()).toMatchObject({ status: 0 })
  expect(await fetched(upload)).toEqual({
    'same.txt': 'one',
    [`same (${first.id}).txt`]: 'one',
    [`same (${two.id}).txt`]: 'two',
  })
  expect((await get()).stderr).toContain('no new files')
})

test('a file that replaces one which its sender took back is fetched', async () => {
  const { newUpload, get, fetched } = await newRequest()
  const upload = await newUpload('Eve')
  const draft = await upload.add('same.txt', 'draft')
  await get()
  await upload.remove(draft)
  const final = await upload.add('same.txt', 'final')
  expect(await get()).toMatchObject({ status: 0 })
  expect(await fetched(upload)).toEqual({ 'same.txt': 'draft', [`same (${final.id}).txt`]: 'final' })
})

test('files with one long name are all fetched', async () => {
  const { newUpload, get, fetched } = await newRequest()
  const upload = await newUpload('Eve')
  const name = `${'x'.repeat(196)}.txt`
  const files = [await upload.add(name, 'same'), await upload.add(name, 'same')]
  expect(await get()).toMatchObject({ status: 0 })
  const names = files.map(({ id }) => name.replace('.txt', ` (${id}).txt`))
  expect(await fetched(upload)).toEqual(Object.fromEntries(names.map((savedName) => [savedName, 'same'])))
})

test('hidden files are saved with --hidden only', async () => {
  const { newUpload, get, fetched } = await newRequest()
  const upload = await newUpload('Eve')
  await upload.add('.bashrc', 'commands')
  await upload.add('notes.txt', 'text')
  expect(await get()).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('not saved without --hidden: .bashrc') as string,
  })
  expect(await fetched(upload)).toEqual({ 'notes.txt': 'text' })
  expect(await get('--hidden')).toMatchObject({ status: 0 })
  expect(await fetched(upload)).toEqual({ '.bashrc': 'commands', 'notes.txt': 'text' })
})

test('uploads are marked as seen once all of their files are here', async () => {
  const { newUpload, get, unseen, id } = await newRequest()
  const upload = await newUpload('Eve')
  await upload.add('.bashrc', 'commands')
  await get()
  expect(await unseen()).toBe(1)
  await get('--hidden')
  expect(await unseen()).toBe(0)
  await server.client.sendToUploadRequest(id, { files: [{ fileName: 'later.txt' }] })
  await get('--hidden')
  expect(await unseen()).toBe(1)
})
