import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { manifestName, type File, type Upload } from '@svc/contract'
import { createPlainEngine, generateKeyPair, encryptManifest } from '@svc/encryption'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import type { EncryptedUploadOutput } from '../support/encrypted.ts'
import { startMaliciousServer, type MaliciousServer } from '../../../scripts/test-servers/malicious-server.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let malicious: MaliciousServer
let svc: Svc
let recipient: string
let attempt = 0
let folder: string

beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  svc = await installSvc(server.url)
  const pair = await generateKeyPair()
  recipient = pair.recipient
  await writeFile(svc.path('key.txt'), `${pair.identity}\n`)
  await mkdir(svc.path('sent'))
  await writeFile(svc.path('sent/a.txt'), 'content of a')
  await writeFile(svc.path('sent/b.txt'), 'content of b')
  await writeFile(svc.path('sent/large.bin'), randomBytes(1_500_000))
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})
beforeEach(async () => {
  malicious = await startMaliciousServer(server.url)
  folder = `got-${String((attempt += 1))}`
})
afterEach(() => malicious.close())

const paths = ['sent/a.txt', 'sent/b.txt', 'sent/large.bin']
const ways = ['passphrase', 'recipient'] as const
type Way = (typeof ways)[number]

const send = (way: Way, args: readonly string[] = paths) =>
  svc.json([
    ...args,
    ...(way === 'passphrase' ? ['-s'] : ['--recipient', recipient]),
  ]) as Promise<EncryptedUploadOutput>

/** `svc get` of a link, through the malicious server. */
const get = (way: Way, link: string, args: readonly string[] = []) =>
  svc.run([
    'get',
    link.replace(server.url, malicious.url),
    ...['-o', `${folder}/`],
    ...(way === 'recipient' ? ['-i', 'key.txt'] : []),
    ...args,
  ])

const got = async () => (await readdir(svc.path(folder), { recursive: true }).catch(() => [])).sort()

const fileOf = ({ files }: Pick<Upload, 'files'>, name: string): File => {
  const file = files.find(({ fileName }) => fileName === name)
  if (file === undefined) throw new Error(`no file ${name}`)
  return file
}
const manifestOf = (upload: Upload) => fileOf(upload, manifestName)
const without = (upload: Upload, name: string): Upload => ({
  ...upload,
  files: upload.files.filter(({ fileName }) => fileName !== name),
})

describe.each(ways)('an upload with a %s', (way) => {
  test('has a manifest and a mark in its links, and its files are verified', async () => {
    const { id, url, files } = await send(way)
    const mark = way === 'passphrase' ? /&manifest=1#key=[\w-]+$/ : /&manifest=[\w-]{43}$/
    expect(url).toMatch(mark)
    const upload = await server.client.upload(id)
    expect(manifestOf(upload).status).toBe('uploaded')
    const { status, stderr } = await get(way, url)
    expect(status).toBe(0)
    expect(stderr).not.toContain('manifest')
    expect(await got()).toEqual(['a.txt', 'b.txt', 'large.bin'])
    const large = await readFile(svc.path('sent/large.bin'))
    expect((await readFile(svc.path(`${folder}/large.bin`))).equals(large)).toBe(true)
    const downloaded = await svc.json(['get', files[2]?.url ?? '', '-o', `${folder}/one`, '-i', 'key.txt'])
    const sha256 = createHash('sha256').update(large).digest('hex')
    expect(downloaded).toMatchObject([{ status: 'downloaded', verified: 'sha256', sha256 }])
  })

  test('is refused when two contents are swapped', async () => {
    const { id, url } = await send(way)
    const upload = await server.client.upload(id)
    const [a, b] = [fileOf(upload, 'a.txt'), fileOf(upload, 'b.txt')]
    malicious.be({ file: (asked) => (asked === a.id ? b : asked === b.id ? a : fileWith(upload, asked)) })
    const { status, stderr } = await get(way, url)
    expect(status).toBe(6)
    expect(stderr).toContain(
      'a.txt: its content is not the one that was sent: someone may have swapped files',
    )
    expect(await got()).toEqual(['large.bin'])
  })

  test('is refused when the names are swapped', async () => {
    const { url } = await send(way)
    const names = { 'a.txt': 'b.txt', 'b.txt': 'a.txt' } as Readonly<Record<string, string>>
    malicious.be({
      upload: (upload) => ({
        ...upload,
        files: upload.files.map((file) => ({ ...file, fileName: names[file.fileName] ?? file.fileName })),
      }),
    })
    const { status, stderr } = await get(way, url, ['--file', '*.txt'])
    expect(status).toBe(6)
    expect(stderr).toContain('a.txt: it was sent as b.txt: someone may have swapped files')
    expect(await got()).toEqual([])
  })

  test('is refused when a file is withheld, except for other files', async () => {
    const { url } = await send(way)
    malicious.be({ upload: (upload) => without(upload, 'b.txt') })
    const { status, stderr } = await get(way, url)
    expect(status).toBe(6)
    expect(stderr).toContain(
      'b.txt: it was sent, and the server does not have it: it was removed, or is withheld',
    )
    expect(await got()).toEqual(['a.txt', 'large.bin'])
    expect(await get(way, url, ['--file', 'a.txt', '-y'])).toMatchObject({ status: 0 })
  })

  test('is refused when a file of another upload is added, or takes the place of one', async () => {
    const environment = { SVC_PASSPHRASE: 'correct horse' }
    const options = way === 'passphrase' ? ['-s'] : ['--recipient', recipient]
    const sent = async (path: string) => {
      const { output } = await svc.run([path, '--json', ...options], { environment })
      return JSON.parse(output) as EncryptedUploadOutput
    }
    const [ours, other] = [await sent('sent/a.txt'), await sent('sent/b.txt')]
    const foreign = fileOf(await server.client.upload(other.id), 'b.txt')
    const own = await server.client.upload(ours.id)
    const fileAt = (asked: string) =>
      asked === foreign.id ? { ...foreign, uploadID: other.id } : fileWith(own, asked)
    malicious.be({ upload: (upload) => ({ ...upload, files: [...upload.files, foreign] }), file: fileAt })
    const added = await get(way, ours.url)
    expect(added.status).toBe(6)
    expect(added.stderr).toContain('b.txt: it is not in the manifest: someone else may have added it')
    expect(await got()).toEqual(['a.txt'])

    malicious.be({
      file: (asked) =>
        asked === fileOf(own, 'a.txt').id ? { ...foreign, uploadID: other.id } : fileWith(own, asked),
    })
    expect(await get(way, ours.url, ['-y'])).toMatchObject({ status: 6 })
    expect((await readFile(svc.path(`${folder}/a.txt`))).toString()).toBe('content of a')

    // The whole other upload, with its manifest.
    const others = await server.client.upload(other.id)
    malicious.be({
      upload: () => ({ ...others, id: ours.id }),
      file: (asked) => ({ ...fileWith(others, asked), uploadID: other.id }),
    })
    const replaced = await get(way, ours.url)
    expect(replaced.status).toBe(6)
    expect(replaced.stderr).toContain('someone may have changed the files')
  })

  test('is refused when the manifest is withheld, empty or another file', async () => {
    const { id, url } = await send(way)
    const upload = await server.client.upload(id)
    malicious.be({ upload: (original) => without(original, manifestName) })
    const withheld = await get(way, url)
    expect(withheld.status).toBe(6)
    expect(withheld.stderr).toContain('the link says that the upload has a manifest')
    malicious.be({ upload: (original) => ({ ...original, files: [] }) })
    const everything = await get(way, url)
    expect(everything.status).toBe(6)
    expect(everything.stderr).toContain('the link says that the upload has a manifest')
    const a = fileOf(upload, 'a.txt')
    malicious.be({
      upload: (original) => ({
        ...original,
        files: original.files.map((file) =>
          file.fileName === manifestName ? { ...file, fileSize: a.fileSize } : file,
        ),
      }),
      file: (asked) => (asked === manifestOf(upload).id ? a : fileWith(upload, asked)),
    })
    expect(await get(way, url)).toMatchObject({ status: 6 })
    malicious.be({
      file: (asked) =>
        asked === manifestOf(upload).id ? { id: 'nosuchfile', fileName: 'none' } : fileWith(upload, asked),
    })
    const undelivered = await get(way, url)
    expect(undelivered.status).toBe(6)
    expect(undelivered.stderr).toContain(
      'the server lists the manifest of the upload, and does not deliver it',
    )
    expect(await got()).toEqual([])
  })

  test('whose manifest has not arrived yet is unfinished, not forged', async () => {
    const { url } = await send(way)
    for (const status of ['missing', 'uploading'] as const) {
      malicious.be({
        upload: (upload) => ({
          ...upload,
          files: upload.files.map((file) => (file.fileName === manifestName ? { ...file, status } : file)),
        }),
      })
      const end = await get(way, url)
      expect(end).toMatchObject({ status: 1 })
      expect(end.stderr).toContain('the upload is not finished')
      expect(await got()).toEqual([])
    }
  })

  test('is not verified for files that stay encrypted, which svc says', async () => {
    const { url } = await send(way)
    const words = 'they are not compared with the manifest of the link'
    expect((await get(way, url, ['--no-decrypt'])).stderr).toContain(words)
    expect((await get(way, url, ['--no-decrypt', '--quiet', '--force'])).stderr).not.toContain(words)
  })

  test('to standard output ends with an error after a swapped content', async () => {
    const { id, url } = await send(way)
    const upload = await server.client.upload(id)
    const [a, b] = [fileOf(upload, 'a.txt'), fileOf(upload, 'b.txt')]
    malicious.be({ file: (asked) => (asked === a.id ? b : fileWith(upload, asked)) })
    const args = [
      'get',
      url.replace(server.url, malicious.url),
      '--file',
      'a.txt',
      '-o',
      '-',
      '-i',
      'key.txt',
    ]
    const { status, stderr } = await svc.run(args)
    expect(status).toBe(6)
    expect(stderr).toContain('its content is not the one that was sent')
  })
})

const fileWith = ({ files }: Pick<Upload, 'files'>, id: string): File => {
  const file = files.find((candidate) => candidate.id === id)
  if (file === undefined) throw new Error(`no file ${id}`)
  return file
}

test('a manifest that the server writes for the recipients is refused', async () => {
  const { id, url } = await send('recipient')
  const upload = await server.client.upload(id)
  const forged = await encryptManifest(
    { upload: id, files: [] },
    { recipients: [recipient] },
    createPlainEngine(),
  )
  const own = await server.client.createUpload({ e2ee: 'age' })
  const file = await server.client.addFile(own.id, new Blob([Uint8Array.from(forged.bytes)]), {
    fileName: manifestName,
    uploadToken: own.uploadToken,
  })
  malicious.be({
    upload: (original) => ({
      ...original,
      files: original.files.map((listed) =>
        listed.fileName === manifestName ? { ...listed, fileSize: file.fileSize } : listed,
      ),
    }),
    file: (asked) =>
      asked === manifestOf(upload).id ? { ...file, uploadID: own.id } : fileWith(upload, asked),
  })
  const { status, stderr } = await get('recipient', url)
  expect(status).toBe(6)
  expect(stderr).toContain(
    'the manifest is not signed by the sender of the link: someone may have changed the files',
  )
  // Without the mark, nothing shows it.
  const unmarked = await get('recipient', url.replace(/&manifest=[\w-]+/, ''))
  expect(unmarked.stderr).toContain('the link has no mark of the manifest')
})

test('an upload without a manifest is read as before, with a word about names when it has several', async () => {
  const { id, url } = await send('passphrase')
  const key = url.slice(url.indexOf('#key='))
  malicious.be({ upload: (original) => without(original, manifestName) })
  const several = await get('passphrase', `${server.url}/#/?id=${id}${key}`)
  expect(several).toMatchObject({ status: 0 })
  expect(several.stderr).toContain('the upload has no manifest: the names of the files are not verified')
  const single = await get('passphrase', `${server.url}/#/?id=${id}${key}`, ['--file', 'a.txt', '-y'])
  expect(single).toMatchObject({ status: 0 })
  expect(single.stderr).not.toContain('manifest')
})
