import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { testWith } from '../../../scripts/tests/needs.ts'
import { selfSigned } from '../support/servers/self-signed.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'

const root = resolve(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/install/proxy.md'), 'utf8')

/** Runs the page's command that writes a file of a proxy, with the file in a directory. */
async function writeExample(file: string, directory: string): Promise<string> {
  const command = page.split('\n').find((line) => line.startsWith('sed ') && line.endsWith(`> ${file}`))
  if (command === undefined) throw new Error(`no command of the page writes ${file}`)
  const output = join(directory, 'written')
  execFileSync('sh', ['-c', command.replace(file, output)], { cwd: root })
  return readFile(output, 'utf8')
}

/** @throws with the reason if nginx refuses the file of a site */
async function checkSite(site: string, directory: string): Promise<void> {
  const main = join(directory, 'nginx.conf')
  await writeFile(main, `pid ${directory}/pid; events {} http { access_log off; ${site} }`)
  execFileSync('/usr/sbin/nginx', [
    '-t',
    '-q',
    '-p',
    directory,
    '-e',
    join(directory, 'error.log'),
    '-c',
    main,
  ])
}

testWith(['nginx-light'], 'the command for nginx writes a site that nginx accepts', async () => {
  const directory = await emptyDirectory()
  const site = await writeExample('/etc/nginx/conf.d/svcd.conf', directory)
  expect(site).not.toMatch(/svcd[12]|example\.org;/)
  expect(site).toMatch(/^ {2}server 127\.0\.0\.1:8080;$/m)
  await checkSite(site, directory)
})

testWith(['nginx-light', 'openssl'], 'nginx accepts the site of the compose file', async () => {
  const directory = await emptyDirectory()
  const { cert, key } = selfSigned(directory, { name: 'own', holder: 'DNS:files.example.org', days: 1 })
  await mkdir(join(directory, 'certificates'))
  await copyFile(cert, join(directory, 'certificates/fullchain.pem'))
  await copyFile(key, join(directory, 'certificates/privkey.pem'))
  const site = readFileSync(join(root, 'deploy/compose/nginx.conf.template'), 'utf8')
    .replaceAll('${DOMAIN}', 'files.example.org')
    .replaceAll('/certificates', `${directory}/certificates`)
    .replace('svcd:8080', '127.0.0.1:8080')
  await checkSite(site, directory)
})

testWith(['caddy'], 'Caddy accepts the site of the compose file', () => {
  const site = join(root, 'deploy/compose/Caddyfile')
  execFileSync('caddy', ['validate', '--config', site, '--adapter', 'caddyfile'], {
    env: { ...process.env, DOMAIN: 'files.example.org' },
    stdio: 'pipe',
  })
})

test('the command for Caddy leaves no name of the sample', async () => {
  const site = await writeExample('/etc/caddy/Caddyfile', await emptyDirectory())
  expect(site).toMatch(/^YOUR\.NAME \{\n\treverse_proxy 127\.0\.0\.1:8080 \{$/m)
  expect(site).not.toMatch(/svcd1|svcd2|example\.org/)
})
