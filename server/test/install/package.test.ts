import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, expect, test } from 'vitest'
import type { Sbom } from '../../../scripts/package/sbom.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'

const scripts = resolve(import.meta.dirname, '../../../scripts')

let directory: string
let svcd: string
beforeAll(async () => {
  directory = await emptyDirectory()
  execFileSync(process.execPath, [join(scripts, 'package/package.ts'), join(directory, 'svcd')])
  svcd = join(directory, 'svcd/bin/svcd')
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
