import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { bundled, installSvc, type Svc } from '../support/svc.ts'

let svc: Svc

beforeEach(async () => {
  svc = await installSvc()
})
afterEach(() => svc.close())

const version = { status: 0, output: `${packageFile.version}\n`, stderr: '' }

/** Where svc keeps what Node has compiled. */
const folder = () => join(svc.environment['XDG_CACHE_HOME'] ?? '', 'svc/compiled')

/** Paths of the files in the cache. */
async function cached(): Promise<readonly string[]> {
  const entries = await readdir(folder(), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/** Whether Node takes the program from its cache. */
async function isTaken(): Promise<boolean> {
  const { output, stderr } = await svc.run(['--version'], {
    environment: { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
  })
  return /cache for .*svc\.mjs was accepted/.test(output + stderr)
}

test('the second start takes the compiled program from a cache that only its user can read', async () => {
  expect(await isTaken()).toBe(false)
  expect(await cached()).toHaveLength(1)
  expect((await stat(folder())).mode & 0o777).toBe(0o700)
  expect(await isTaken()).toBe(true)
})

test('without a cache folder that can be written, svc works', async () => {
  await writeFile(svc.path('file'), '')
  expect(await svc.run(['--version'], { environment: { XDG_CACHE_HOME: svc.path('file') } })).toEqual(version)
  await mkdir(folder(), { recursive: true })
  await chmod(folder(), 0o500)
  expect(await svc.run(['--version'], { rights: 'unprivileged' })).toEqual(version)
  expect(await cached()).toEqual([])
})

test('a cache folder in which other users can write is not used', async () => {
  await mkdir(folder(), { recursive: true })
  await chmod(folder(), 0o777)
  expect(await svc.run(['--version'])).toEqual(version)
  expect(await cached()).toEqual([])
})

test('clients that start at the same time with an empty cache all work', async () => {
  const results = await Promise.all(Array.from({ length: 4 }, () => svc.run(['--version'])))
  expect(results).toEqual([version, version, version, version])
  expect(await isTaken()).toBe(true)
})

test('the cache of an earlier version is replaced', async () => {
  const newer = await readFile(svc.program)
  await writeFile(svc.program, await bundled({ version: '0.0.1' }))
  expect((await svc.run(['--version'])).output).toBe('0.0.1\n')
  await writeFile(svc.program, newer)
  expect(await svc.run(['--version'])).toEqual(version)
  expect(await isTaken()).toBe(true)
  expect(await cached()).toHaveLength(1)
})

test.each([
  ['empty', ''],
  ['text', 'damaged'],
  ['zeros', '\0'.repeat(100_000)],
])('a damaged cache is replaced: %s', async (_, content) => {
  await svc.run(['--version'])
  for (const file of await cached()) await writeFile(file, content)
  expect(await svc.run(['--version'])).toEqual(version)
  expect(await isTaken()).toBe(true)
})

test('NODE_DISABLE_COMPILE_CACHE turns the cache off', async () => {
  const environment = { NODE_DISABLE_COMPILE_CACHE: '1' }
  expect(await svc.run(['--version'], { environment })).toEqual(version)
  expect(await cached()).toEqual([])
})
