import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { hash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rm, stat, truncate } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeServerExecutable } from '../../../scripts/bundle/svcd/make.ts'
import { packageExecutables } from '../../../scripts/package/executables.ts'
import { copyProduct, thisSystem } from '../../../scripts/package/product.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { currentVersion } from './versions.ts'

/** The executables that `npm run package -- --executable` makes for this system. */
let dist: string
let product: string
let svcd: string
let svc: string
beforeAll(async () => {
  dist = await temporaryDirectory()
  product = join(dist, 'product')
  const source = { version: currentVersion, revision: undefined, epoch: 0 }
  copyProduct(product, source)
  const executables = await packageExecutables({
    names: [thisSystem],
    source,
    dist,
    folders: [{ system: thisSystem, path: product }],
  })
  const [client = '', server = ''] = executables
  svc = client
  svcd = server
})

/** An empty folder, which is also the home. */
let directory: string
beforeEach(async () => {
  directory = await temporaryDirectory()
})

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: '/usr/bin:/bin',
  HOME: directory,
  SVCD_LISTEN_PORT: '0',
  ...more,
})

const run = (args: readonly string[], more?: Readonly<Record<string, string>>) =>
  spawnSync(svcd, args, { cwd: directory, env: environment(more), encoding: 'utf8' })

async function serve(more?: Readonly<Record<string, string>>) {
  const cwd = join(directory, `server-${String(more?.['SVCD_WORKERS'])}`)
  await mkdir(cwd)
  const child = spawn(svcd, ['serve'], {
    cwd,
    env: environment(more),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, url: line.replace('svcd listens on ', '') }
}

/** For each unpacked file its inode, which differs after the file has been written again. */
async function unpacked(): Promise<ReadonlyMap<string, number>> {
  const cache = join(directory, '.cache/svcd')
  const entries = await readdir(cache, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('compile-cache'))
    .map(({ parentPath, name }) => join(parentPath, name))
  return new Map(
    await Promise.all(files.map(async (file) => [relative(cache, file), (await stat(file)).ino] as const)),
  )
}

test('two first starts at once, one of them with workers, serve pages and files, and stop', async () => {
  const servers = await Promise.all([serve({ SVCD_WORKERS: '1' }), serve({ SVCD_WORKERS: '2' })])
  for (const { child, url } of servers) {
    const form = new FormData()
    form.set('file', new Blob(['hello']), 'hello.txt')
    const link = (await (await fetch(url, { method: 'POST', body: form })).text()).trim()
    expect(await (await fetch(link)).text()).toBe('hello')
    const statuses = ['', 'docs/', 'clients/svc.mjs'].map(async (page) => {
      const response = await fetch(url + page)
      await response.arrayBuffer()
      return response.status
    })
    expect(await Promise.all(statuses)).toEqual([200, 200, 200])
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  }
  // No temporary files: those of the product, and the module that starts it.
  const left = ['bin/', 'provenance.json']
  const expected = (await readdir(product, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(product, join(parentPath, name)))
    .filter((path) => !left.some((start) => path.startsWith(start)))
  const names = [...(await unpacked()).keys()].map((path) => path.slice(path.indexOf('/') + 1))
  expect(names.sort()).toEqual([...expected, 'start.cjs'].sort())
})

test('later starts write only files that are damaged or missing', async () => {
  expect(run(['--version']).stdout).toBe(`${currentVersion}\n`)
  const before = await unpacked()
  const damaged = [...before.keys()].filter((path) =>
    /\/server\/(package\.json|dist\/bundle\/main\.js)$/.test(path),
  )
  expect(damaged).toHaveLength(2)
  const [first = '', second = ''] = damaged.map((path) => join(directory, '.cache/svcd', path))
  await truncate(first, 1)
  await rm(second)
  const { stdout, status } = run(['check'])
  expect(stdout).toContain('0 errors')
  expect(status).toBe(0)
  const after = await unpacked()
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort())
  const kept = (files: ReadonlyMap<string, number>) =>
    [...files].filter(([path]) => !damaged.includes(path)).sort()
  expect(kept(after)).toEqual(kept(before))
})

test('one line says what to set when the product cannot be unpacked, or when others could change it', async () => {
  const unwritable = run(['--version'], { XDG_CACHE_HOME: '/dev/null/cache' })
  expect(unwritable).toMatchObject({ status: 1, stdout: '' })
  expect(unwritable.stderr).toMatch(
    /^svcd: cannot unpack into \/dev\/null\/cache\/svcd: ENOTDIR.*\. Set XDG_CACHE_HOME to a folder that svcd can write\.\n$/,
  )

  const cache = join(directory, '.cache/svcd')
  await mkdir(cache, { recursive: true })
  await chmod(cache, 0o777)
  const shared = run(['--version'])
  expect(shared).toMatchObject({ status: 1, stdout: '' })
  expect(shared.stderr).toContain('another user owns it or can change it')
  expect(await readdir(cache)).toEqual([])
})

test('a second build of the server gives the same bytes, and the client runs', async () => {
  const node = join(product, 'bin/node')
  const output = join(directory, 'again')
  await makeServerExecutable({ product, node, output, builder: node })
  expect(hash('sha256', await readFile(output))).toBe(hash('sha256', await readFile(svcd)))
  const version = execFileSync(svc, ['--version'], { env: environment(), encoding: 'utf8' })
  expect(version).toContain(currentVersion)
})
