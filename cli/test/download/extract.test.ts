import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let svc: Svc

beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
})
afterAll(async () => {
  server.kill('SIGKILL')
  await server.ended
})
beforeEach(async () => {
  svc = await installSvc(server.url)
  await mkdir(svc.path('in'))
})
afterEach(() => svc.close())

interface Entry {
  readonly name: string
  readonly text?: string
  readonly mode?: number
}

async function zipOf(entries: readonly Entry[]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const { name, text = '', mode = 0o100644 } of entries)
    zip.addBuffer(Buffer.from(text), name, { mode, compress: true })
  zip.end()
  return buffer(zip.outputStream)
}

/** Replaces bytes everywhere in the archive: the library that writes archives writes no invalid ones. */
const replaced = (archive: Buffer, from: Uint8Array | string, to: Uint8Array | string) => {
  for (let at = archive.indexOf(from); at !== -1; at = archive.indexOf(from, at + 1))
    Buffer.from(to).copy(archive, at)
  return archive
}

/** Uploads the archive, then downloads and unpacks it into the folder `in`. */
async function unpacked(archive: Uint8Array, ...args: readonly string[]) {
  await writeFile(svc.path('sent.zip'), archive)
  const { output } = await svc.run(['-q', 'sent.zip'])
  const ran = await svc.run(['get', '-x', output.trim(), '-o', 'in', ...args])
  const entries = await readdir(svc.path('in'), { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
  return { ...ran, files: files.map((path) => path.slice(svc.path('in/').length)).sort() }
}

describe('a malicious archive', () => {
  test.each(['../../evil/x', '/tmp/evil/x1', '..\\..\\evil\\x', 'C:/evil/xx/y'])(
    'cannot leave the folder with %j',
    async (name) => {
      const honest = 'a'.repeat(name.length)
      const { status, files } = await unpacked(replaced(await zipOf([{ name: honest }]), honest, name))
      expect({ status, count: files.length }).toEqual({ status: 0, count: 1 })
      expect(existsSync(svc.path('../evil'))).toBe(false)
      expect((await readdir(svc.directory)).sort()).toEqual(['.local', 'in', 'sent.zip', 'svc.mjs'])
    },
  )

  test('creates no links, and writes through none', async () => {
    const link = { name: 'out', text: '/tmp', mode: 0o120777 }
    const { status, files, stderr } = await unpacked(await zipOf([link, { name: 'out/evil-svc' }]))
    expect({ status, files }).toEqual({ status: 0, files: ['out/evil-svc'] })
    expect(stderr).toContain('out: skipped (link or device)')
    expect(existsSync('/tmp/evil-svc')).toBe(false)
  })

  test.each([
    ['more than the disk has room for', 0xfffffff0, 'unpacks to more than'],
    ['less than its real size', 3, 'too many bytes'],
  ])('is rejected when it declares %s', async (_case, declared, reason) => {
    const archive = await zipOf([{ name: 'big', text: 'z'.repeat(7777) }])
    const size = (value: number) => Buffer.from(new Uint32Array([value]).buffer)
    const { status, files, stderr } = await unpacked(replaced(archive, size(7777), size(declared)))
    expect({ status, files }).toEqual({ status: status === 5 ? 5 : 1, files: ['sent.zip'] })
    expect(stderr).toContain(reason)
  })
})

test('a truncated or damaged archive stays, and nothing of its content is unpacked', async () => {
  const archive = await zipOf([
    { name: 'a', text: 'a' },
    { name: 'b', text: 'b'.repeat(999) },
  ])
  const cut = await unpacked(archive.subarray(0, -30), '--yes')
  expect(cut).toMatchObject({ status: 5, files: ['sent.zip'] })
  const crc = archive.subarray(14, 18)
  const damaged = await unpacked(replaced(archive, Buffer.from(crc), 'oops'), '--yes')
  expect(damaged).toMatchObject({ status: 1, files: ['sent.zip'] })
  expect(damaged.stderr).toContain('a is damaged')
})

test('an existing file is not overwritten without --yes, and then nothing is unpacked', async () => {
  await writeFile(svc.path('in/b'), 'mine')
  const archive = await zipOf([{ name: 'a' }, { name: 'b', text: 'new' }])
  const rejected = await unpacked(archive)
  expect(rejected).toMatchObject({ status: 5, files: ['b', 'sent.zip'] })
  expect(await readFile(svc.path('in/b'), 'utf8')).toBe('mine')
  expect(await unpacked(archive, '--yes')).toMatchObject({ status: 0, files: ['a', 'b'] })
  expect(await readFile(svc.path('in/b'), 'utf8')).toBe('new')
})

test('a file that is not an archive stays as it is', async () => {
  await writeFile(svc.path('a.txt'), 'a')
  const { output } = await svc.run(['-q', 'a.txt'])
  const got = await svc.run(['get', '-x', output.trim(), '-o', 'in'])
  expect(got.output).toBe(`${svc.path('in/a.txt')}\n`)
  expect(got.stderr).toContain('a.txt is not an archive')
})
