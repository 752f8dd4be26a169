import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { hash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeServerExecutable } from '../../../scripts/bundle/svcd/make.ts'
import { packageExecutables } from '../../../scripts/package/executables.ts'
import { thisSystem } from '../../../scripts/package/product.ts'
import type { Sbom } from '../../../scripts/package/sbom.ts'
import { findSource } from '../../../scripts/package/source.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { currentVersion } from './versions.ts'

const scripts = resolve(import.meta.dirname, '../../../scripts')

let directory: string
let svcd: string
/** The executables that `npm run package -- --executable` makes for this system. */
let svcFile: string
let svcdFile: string
beforeAll(async () => {
  directory = await emptyDirectory()
  execFileSync(process.execPath, [join(scripts, 'package/package.ts'), join(directory, 'svcd')])
  svcd = join(directory, 'svcd/bin/svcd')
  const executables = await packageExecutables({
    names: [thisSystem],
    source: findSource(),
    dist: directory,
    folders: [{ system: thisSystem, path: join(directory, 'svcd') }],
  })
  const [client = '', server = ''] = executables
  svcFile = client
  svcdFile = server
})

/** Nothing of the machine but a shell and what it finds where every system has it. */
const environment = { PATH: '/usr/bin:/bin', SVCD_LISTEN_PORT: '0', SVCD_LOG_FORMAT: 'pretty' }

test('the packed server needs nothing but its folder: pages, the API and its description', async () => {
  const server = spawn(svcd, ['serve'], {
    cwd: directory,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string]
  const url = line.replace('svcd listens on ', '')

  const form = new FormData()
  form.set('file', new Blob(['hello']), 'hello.txt')
  const link = await (await fetch(url, { method: 'POST', body: form })).text()
  expect(await (await fetch(link.trim())).text()).toBe('hello')
  const statusOf = async (page: string) => {
    const response = await fetch(url + page)
    await response.arrayBuffer()
    return response.status
  }
  const pages = ['', 'docs/', 'docs/swagger-ui-bundle.js', 'openapi.json']
  expect(await Promise.all(pages.map(statusOf))).toEqual([200, 200, 200, 200])

  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
})

test('the bill of materials names what is packed, its Node by its checksum, and no build tools', async () => {
  const sbom = JSON.parse(await readFile(join(directory, 'svcd/sbom.cdx.json'), 'utf8')) as Sbom
  const node = await readFile(join(directory, 'svcd/bin', basename(process.execPath)))
  expect(sbom.bomFormat).toBe('CycloneDX')
  expect(sbom.metadata.component).toMatchObject({ name: 'svcd', type: 'application' })
  const names = sbom.components.map(({ purl }) => String(purl).replace(/^pkg:\w+\/(.*)@.*$/, '$1'))
  for (const name of [
    'fastify',
    'kysely',
    '%40aws-sdk/client-s3',
    'citty',
    'vue',
    'pdfjs-dist',
    'age-encryption',
  ])
    expect(names).toContain(name)
  for (const name of ['eslint', 'vitest', 'vite', 'typescript', 'playwright'])
    expect(names).not.toContain(name)
  expect(sbom.components).toContainEqual(
    expect.objectContaining({
      name: 'node',
      version: process.versions.node,
      hashes: [{ alg: 'SHA-256', content: hash('sha256', node, 'hex') }],
    }),
  )
  expect(sbom.components.every(({ licenses }) => licenses !== undefined)).toBe(true)
})

test('the packed server has the commands for admins', () => {
  expect(execFileSync(svcd, ['stats'], { cwd: directory, env: environment, encoding: 'utf8' })).toMatch(
    /files/i,
  )
})

/** An empty folder, which is also the home. */
let home: string
beforeEach(async () => {
  home = await temporaryDirectory()
})

const withHome = (more: Readonly<Record<string, string>> = {}) => ({
  ...environment,
  HOME: home,
  ...more,
})

const run = (args: readonly string[], more?: Readonly<Record<string, string>>) =>
  spawnSync(svcdFile, args, { cwd: home, env: withHome(more), encoding: 'utf8' })

async function serve(more?: Readonly<Record<string, string>>) {
  const cwd = join(home, `server-${String(more?.['SVCD_WORKERS'])}`)
  await mkdir(cwd)
  const child = spawn(svcdFile, ['serve'], {
    cwd,
    env: withHome(more),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, url: line.replace('svcd listens on ', '') }
}

/** For each unpacked file its inode, which differs after the file has been written again. */
async function unpacked(): Promise<ReadonlyMap<string, number>> {
  const cache = join(home, '.cache/svcd')
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
  const product = join(directory, 'svcd')
  const expected = (await readdir(product, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(product, join(parentPath, name)))
    .filter((path) => !/^(?:bin\/.*|provenance\.json|clients\/.*\/svc(?:\.exe)?)$/.test(path))
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
  const [first = '', second = ''] = damaged.map((path) => join(home, '.cache/svcd', path))
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

test('a file with other bytes of the same size is written again, and one line says so', async () => {
  run(['--version'])
  const [main = ''] = [...(await unpacked()).keys()].filter((path) => path.endsWith('/bundle/main.js'))
  const file = join(home, '.cache/svcd', main)
  const bytes = await readFile(file)
  await writeFile(file, Buffer.alloc(bytes.length, ')'))
  const { status, stderr } = run(['--version'])
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /^svcd: files in .* were damaged, and have been written again\. Start svcd again\.\n$/,
  )
  expect(await readFile(file)).toEqual(bytes)
  expect(run(['--version']).stdout).toBe(`${currentVersion}\n`)
})

test('files that are deleted below a running server are written again', { timeout: 60_000 }, async () => {
  const { child, url } = await serve()
  await rm(join(home, '.cache/svcd'), { recursive: true })
  const upload = async () => {
    const form = new FormData()
    form.set('file', new Blob(['hello']), 'hello.txt')
    const { status } = await fetch(url, { method: 'POST', body: form })
    return status
  }
  await expect.poll(upload, { timeout: 40_000, interval: 1_000 }).toBe(200)
  expect((await fetch(url)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('relative folders in the environment are ignored', () => {
  const { status, stdout } = run(['--version'], { XDG_CACHE_HOME: 'relative' })
  expect([status, stdout]).toEqual([0, `${currentVersion}\n`])
})

test('one line says what to set when the product cannot be unpacked, or when others could change it', async () => {
  const unwritable = run(['--version'], { XDG_CACHE_HOME: '/dev/null/cache' })
  expect(unwritable).toMatchObject({ status: 1, stdout: '' })
  expect(unwritable.stderr).toMatch(
    /^svcd: cannot unpack: ENOTDIR.*'\/dev\/null\/cache\/svcd'\. Set XDG_CACHE_HOME to a folder that svcd can write\.\n$/,
  )

  const cache = join(home, '.cache/svcd')
  await mkdir(cache, { recursive: true })
  await chmod(cache, 0o777)
  const shared = run(['--version'])
  expect(shared).toMatchObject({ status: 1, stdout: '' })
  expect(shared.stderr).toContain(
    `${cache} belongs to another user, or others can write to it. Set XDG_CACHE_HOME`,
  )
  expect(await readdir(cache)).toEqual([])
})

test('a second build of the server gives the same bytes, and the client runs', async () => {
  const product = join(directory, 'svcd')
  const node = join(product, 'bin', basename(process.execPath))
  const output = join(home, 'again')
  await makeServerExecutable({ product, node, output, builder: node })
  expect(hash('sha256', await readFile(output))).toBe(hash('sha256', await readFile(svcdFile)))
  const version = execFileSync(svcFile, ['--version'], { env: withHome(), encoding: 'utf8' })
  expect(version).toContain(currentVersion)
})
