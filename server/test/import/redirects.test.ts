import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import { describeWith } from '../../../scripts/tests/needs.ts'
import { svcd } from '../commands/command-line.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'
import { services } from './services.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/importing.md'), 'utf8')

/** The blocks of a language in the section of the page about redirects. */
function blocksOf(language: string): readonly string[] {
  const [, section = ''] = page.split('\n## Redirects from old links\n')
  return [...section.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, block = '']) => block,
  )
}

let directory: string
let proxy: ChildProcess | undefined
beforeEach(async () => {
  directory = await emptyDirectory()
})
afterEach(async () => {
  if (proxy === undefined) return
  const ended = once(proxy, 'close')
  proxy.kill('SIGTERM')
  await ended
  proxy = undefined
})

/** The table of addresses of the filled installations. */
async function importedLinks(): Promise<readonly (readonly string[])[]> {
  const lines: string[] = []
  for (const { name, fill } of services) {
    await svcd(directory, ['import', '--from', name, await fill(), '--links', 'links.tsv'])
    lines.push(readFileSync(join(directory, 'links.tsv'), 'utf8'))
  }
  await writeFile(join(directory, 'links.tsv'), lines.join(''))
  return lines
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
}

/** Runs the command of the page that writes the map of a proxy, with the map in the directory. */
function writeMap(path: string): void {
  const command = blocksOf('sh').find((block) => block.includes(path))
  if (command === undefined) throw new Error(`no command of the page writes ${path}`)
  execFileSync('sh', ['-c', command.replace(path, 'links.map')], { cwd: directory })
}

/** Expects that each old address leads to its new one, and others to what is behind the proxy. */
async function expectRedirects(port: number, links: readonly (readonly string[])[]): Promise<void> {
  const url = `http://127.0.0.1:${String(port)}`
  const locationOf = async (path: string) => {
    const response = await fetch(url + path, { redirect: 'manual' })
    const location = response.headers.get('location')
    return location === null ? response.status : location.replace(url, '')
  }
  await until('the proxy responds', () =>
    locationOf('/other').then(
      (status) => status === 404,
      () => false,
    ),
  )
  for (const [old = '', path] of links) expect(await locationOf(old)).toBe(path)
  expect(await locationOf('/d?id=unknown')).toBe(404)
}

describeWith(['nginx-light'], 'the settings for nginx', () => {
  test('redirect every old address', async () => {
    const links = await importedLinks()
    writeMap('/etc/nginx/svc-links.map')
    const port = await freePort()
    const [block = ''] = blocksOf('nginx')
    const site = block
      .replace('/etc/nginx/svc-links.map', join(directory, 'links.map'))
      .replace('server {', `server { listen 127.0.0.1:${String(port)}; location / { return 404; }`)
    const settings = join(directory, 'nginx.conf')
    const log = join(directory, 'error.log')
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    await writeFile(
      settings,
      `daemon off; ${user} pid ${directory}/pid; error_log ${log}; events {} http { access_log off; ${site} }`,
    )
    proxy = spawn('/usr/sbin/nginx', ['-p', directory, '-e', log, '-c', settings])
    await expectRedirects(port, links)
  })
})

describeWith(['caddy'], 'the settings for Caddy', () => {
  test('redirect every old address', async () => {
    const links = await importedLinks()
    writeMap('/etc/caddy/svc-links.map')
    const port = await freePort()
    const [block = ''] = blocksOf('caddyfile')
    const site = block
      .replace('/etc/caddy/svc-links.map', join(directory, 'links.map'))
      .replace('files.example.org {', `http://127.0.0.1:${String(port)} {\n\trespond 404`)
    const settings = join(directory, 'Caddyfile')
    await writeFile(settings, `{\n\tadmin off\n}\n${site}`)
    const home = { HOME: directory, XDG_CONFIG_HOME: directory, XDG_DATA_HOME: directory }
    proxy = spawn('caddy', ['run', '--config', settings, '--adapter', 'caddyfile'], {
      env: { ...process.env, ...home },
      stdio: 'ignore',
    })
    await expectRedirects(port, links)
  })
})
