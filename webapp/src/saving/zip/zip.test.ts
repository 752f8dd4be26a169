import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { zipOf, type ZipFile } from './zip.ts'

const run = promisify(execFile)
const modified = new Date('2026-03-04T05:06:08Z')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-zip-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function* chunksOf(content: Uint8Array, bytes = 70_000) {
  for (let at = 0; at < content.length; at += bytes)
    yield await Promise.resolve(new Uint8Array(content.subarray(at, at + bytes)))
}
async function* entriesOf(entries: readonly ZipFile[]) {
  for (const entry of entries) yield await Promise.resolve(entry)
}
const zip = async (entries: readonly ZipFile[]) =>
  Buffer.concat(await Array.fromAsync(zipOf(entriesOf(entries))))

const contents: Readonly<Record<string, Uint8Array>> = {
  'folder/grüße 世界.txt': Buffer.from('hello'),
  empty: Buffer.alloc(0),
  'random.bin': randomBytes(300_001),
}

describe.for([
  ['whose sizes are known', (content: Uint8Array) => content.length],
  ['of unknown sizes, which take 64 bits', () => undefined],
] as const)('a zip of files %s', ([, sizeOf]) => {
  const file = () => path.join(folder, `${String(sizeOf(Buffer.alloc(0)))}.zip`)
  beforeAll(async () => {
    const entries = Object.entries(contents).map(([name, content]) => ({
      name,
      modified,
      size: sizeOf(content),
      content: chunksOf(content),
    }))
    await writeFile(file(), await zip(entries))
  })

  test('unpacks with unzip to the same files', async () => {
    const target = path.join(folder, String(sizeOf(Buffer.alloc(0))))
    await run('unzip', ['-q', file(), '-d', target], { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
    for (const [name, content] of Object.entries(contents)) {
      expect((await readFile(path.join(target, name))).equals(content)).toBe(true)
    }
  })

  test.for([
    ['7z', ['t']],
    ['bsdtar', ['-tf']],
  ] as const)('%s finds no fault with it', async ([command, args]) => {
    const { stdout } = await run(command, [...args, file()], {
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
    expect(stdout).not.toMatch(/warning|error/i)
  })
})

test('a content that fails ends the zip with an error', async () => {
  const broken = async function* () {
    yield await Promise.resolve(new Uint8Array(10))
    throw new Error('damaged')
  }
  await expect(zip([{ name: 'a', modified, size: 20, content: broken() }])).rejects.toThrow('damaged')
})
