import { readdir, readFile, writeFile } from 'node:fs/promises'
import { filePath, manifestName, maxFreeManifestBytes, type File, type Upload } from '@svc/contract'
import { generateKeyPair, maxManifestBytes } from '@svc/encryption'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { startMaliciousServer, type MaliciousServer } from '../../../scripts/test-servers/malicious-server.ts'
import { startEarlierServer } from '../support/earlier-server.ts'
import type { EncryptedUploadOutput } from '../support/encrypted.ts'
import { installSvc, type Svc } from '../support/svc.ts'

// Manifests of uploads with a download limit.

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
  await writeFile(svc.path('a.txt'), 'content of a')
  await writeFile(svc.path('b.txt'), 'content of b')
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

const send = (...args: readonly string[]) =>
  svc.json(['a.txt', 'b.txt', ...args]) as Promise<EncryptedUploadOutput>
const get = (link: string, ...args: readonly string[]) =>
  svc.run(['get', link.replace(server.url, malicious.url), '-o', `${folder}/`, '-i', 'key.txt', ...args])
const got = async () => (await readdir(svc.path(folder)).catch(() => [])).sort()
const statuses = async (id: string) => {
  const { files } = await server.client.upload(id)
  return files.map(({ status }) => status)
}
const fileOf = ({ files }: Pick<Upload, 'files'>, wanted: string): File => {
  const file = files.find(({ id, fileName }) => wanted === id || wanted === fileName)
  if (file === undefined) throw new Error(`no file ${wanted}`)
  return file
}

const limits = [
  ['--oneshot', 1],
  ['--downloads=2', 2],
] as const
const allStored = ['uploaded', 'uploaded', 'uploaded']

describe.each(limits)('an upload with %s', (option, allowed) => {
  test.each(['passphrase', 'recipient'])('for a %s has a manifest, which its files end with', async (way) => {
    const options = way === 'passphrase' ? ['-s'] : ['--recipient', recipient]
    const { id, url } = await send(option, ...options)
    expect(url).toMatch(way === 'passphrase' ? /&manifest=1#key=/ : /&manifest=[\w-]{43}$/)
    const upload = await server.client.upload(id)
    const { id: fileID } = fileOf(upload, manifestName)
    for (let round = 0; round < 3; round++)
      expect((await fetch(server.url + filePath(id, fileID, manifestName))).status).toBe(200)
    const { output } = await svc.run(['info', url])
    const ofManifest = output.split('\n').find((line) => line.endsWith(manifestName))
    expect(ofManifest).not.toContain('left')
    expect(output.includes('2 of 2 left')).toBe(allowed === 2)
    for (let round = 0; round < allowed; round++) {
      expect(await statuses(id)).toEqual(allStored)
      expect(await get(url, '-y')).toMatchObject({ status: 0 })
    }
    expect(await got()).toEqual(['a.txt', 'b.txt'])
    expect(await statuses(id)).toEqual(['removed', 'removed', 'removed'])
    const late = await get(url, '-y')
    expect(late.status).toBe(1)
    expect(late.stderr).toContain('all downloads of the files are used up')
  })

  test('with swapped contents is refused, and the download is used up', async () => {
    const { id, url } = await send(option, '-s')
    const upload = await server.client.upload(id)
    const swapped: Readonly<Record<string, string>> = { 'a.txt': 'b.txt', 'b.txt': 'a.txt' }
    malicious.be({
      file: (asked) => {
        const { fileName } = fileOf(upload, asked)
        return fileOf(upload, swapped[fileName] ?? fileName)
      },
    })
    const { status, stderr } = await get(url)
    expect(status).toBe(6)
    expect(stderr).toContain(
      'a.txt: its content is not the one that was sent: someone may have swapped files; this download is used up',
    )
    expect((await got()).filter((name) => !name.endsWith('.part'))).toEqual([])
    const piped = await svc.run(['get', url.replace(server.url, malicious.url), '--file', 'a.txt', '-o', '-'])
    expect(piped.status).not.toBe(0)
    if (allowed === 2) expect(piped.stderr).toContain('this download is used up')
  })

  test('whose manifest is withheld, or cannot be loaded, is not downloaded', async () => {
    const { id, url } = await send(option, '-s')
    const upload = await server.client.upload(id)
    const nothing = { id: 'nosuchfile', fileName: 'none' }
    malicious.be({
      file: (asked) => (asked === fileOf(upload, manifestName).id ? nothing : fileOf(upload, asked)),
    })
    expect(await get(url)).toMatchObject({ status: 6 })
    malicious.be({
      upload: (original) => ({
        ...original,
        files: original.files.filter(({ fileName }) => fileName !== manifestName),
      }),
    })
    expect(await get(url)).toMatchObject({ status: 6 })
    expect(await got()).toEqual([])
    const { files } = await server.client.upload(id)
    expect(files.map(({ downloadsLeft }) => downloadsLeft)).toEqual([allowed, allowed, undefined])
  })

  test('of which others have used up a file, gives the rest, and says so', async () => {
    const { id, url, files } = await send(option, '-s')
    for (let round = 0; round < allowed; round++)
      expect(await svc.run(['get', files[0]?.url ?? '', '-y', '-o', 'first'])).toMatchObject({ status: 0 })
    const rest = await get(url)
    expect(rest.status).toBe(3)
    expect(rest.stderr).toContain('a.txt: its downloads are used up')
    expect(await got()).toEqual(['b.txt'])
    if (allowed === 2) await get(url, '-y')
    expect(await statuses(id)).toEqual(['removed', 'removed', 'removed'])
  })

  test('that a server withholds a file of is refused', async () => {
    const { url } = await send(option, '-s')
    malicious.be({
      upload: (original) => ({
        ...original,
        files: original.files.filter(({ fileName }) => fileName !== 'b.txt'),
      }),
    })
    const { status, stderr } = await get(url)
    expect(status).toBe(6)
    expect(stderr).toContain('b.txt: it was sent, and the server does not have it')
  })

  test('on a server that counts the downloads of manifests has none', async () => {
    await using earlier = await startEarlierServer(server.url)
    const sent = await svc.run(['a.txt', 'b.txt', '-s', option, '--link', 'page', '--server', earlier.url])
    expect(sent.status).toBe(0)
    expect(sent.stderr).toContain('keeps no manifest where downloads are limited')
    const link = sent.output.trim()
    expect(link).toMatch(/\?id=\w+#key=/)
    const [, id = ''] = /id=(\w+)/.exec(link) ?? []
    expect(await statuses(id)).toEqual(['uploaded', 'uploaded', 'removed'])
    expect(await get(link.replace(earlier.url, server.url))).toMatchObject({ status: 0 })
    expect((await readFile(svc.path(`${folder}/b.txt`))).toString()).toBe('content of b')
  })
})

test('servers let the largest manifest that programs read be read without a download', () => {
  expect(maxFreeManifestBytes).toBe(maxManifestBytes)
})
