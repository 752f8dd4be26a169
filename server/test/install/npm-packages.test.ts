import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeNpmPackages } from '../../../scripts/package/npm-packages.ts'
import { copyProduct } from '../../../scripts/package/product.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { currentVersion } from './versions.ts'

const run = promisify(execFile)

test('the npm packages of server and client need no other package, and work together', async () => {
  const directory = await emptyDirectory()
  const product = join(directory, 'product')
  copyProduct(product, { version: currentVersion, revision: undefined, epoch: 0 })
  const archives = await makeNpmPackages(product, directory)
  const project = join(directory, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "private": true }')
  const offline = ['--offline', '--no-audit', '--no-fund', '--silent']
  await run('npm', ['install', ...archives, ...offline], { cwd: project })
  expect((await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
    '@svc',
    'svc',
    'svcd',
  ])

  const programs = join(project, 'node_modules/.bin')
  const server = spawn(join(programs, 'svcd'), ['serve'], {
    cwd: project,
    env: { PATH: process.env['PATH'], SVCD_LISTEN_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string]
  const url = line.replace('svcd listens on ', '').replace(/\/$/, '')
  expect((await fetch(`${url}/docs/swagger-ui.css`)).status).toBe(200)

  await writeFile(join(project, 'hello.txt'), 'hello')
  const env = { ...process.env, SVC_SERVER: url, XDG_CONFIG_HOME: directory, XDG_STATE_HOME: directory }
  const { stdout } = await run(join(programs, 'svc'), ['--link', 'file', 'hello.txt'], { cwd: project, env })
  const script = `const { createClient } = await import('@svc/sdk'); console.log(typeof createClient({ baseURL: '${url}' }).upload)`
  const sdk = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: project })
  expect(sdk.stdout).toBe('function\n')
  expect(await (await fetch(stdout.trim())).text()).toBe('hello')

  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
})
