import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { env } from 'node:process'
import { gzipSync } from 'node:zlib'
import { serverProcess } from '../server-process.mjs'
import { root } from '../setup/runtime.mjs'
import { normalizeModesAndTimes } from './normalize-modes-and-times.ts'
import type { Source } from './source.ts'

const files = join(root, 'deploy/debian')
const read = (...path: readonly string[]) => readFileSync(join(...path), 'utf8')

/** Debian's names of architectures, by those of Node. */
const architectures: Readonly<Record<string, string>> = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' }

/** Runs the client with the Node of the package, whichever one the machine has. */
const client = '#!/bin/sh\nexec /usr/lib/svcd/bin/node /usr/lib/svcd/clients/svc.mjs "$@"\n'

const isExecutable = (path: string) =>
  /^(usr\/bin|usr\/lib\/svcd\/bin|DEBIAN\/p.*)(\/|$)/.test(path) || path.endsWith('.sh')

/**
 * Makes a Debian package of a packaged folder. The same folder gives the same bytes.
 * @param product the folder of `copyProduct`
 * @param system `process.platform` and `process.arch` of its Node
 * @param output folder of the package
 * @returns path of the package
 * @throws Error for a system without Debian packages, and when dpkg-deb fails
 */
export function makeDeb(product: string, { version, epoch }: Source, system: string, output: string): string {
  const architecture = architectures[system]
  if (architecture === undefined) throw new Error(`there are no Debian packages for ${system}`)
  const folder = mkdtempSync(join(tmpdir(), 'svc-deb-'))
  try {
    const write = (path: string, content: string | Buffer) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    cpSync(product, join(folder, 'usr/lib/svcd'), { recursive: true, preserveTimestamps: true })
    mkdirSync(join(folder, 'usr/bin'), { recursive: true })
    symlinkSync('../lib/svcd/bin/svcd', join(folder, 'usr/bin/svcd'))
    write('usr/bin/svc', client)
    write('usr/lib/systemd/system/svcd.service', unit())
    write('usr/lib/sysusers.d/svcd.conf', read(files, 'sysusers.conf'))
    write('etc/svcd.toml', read(root, 'deploy/svcd.toml'))
    for (const [path, content] of documentation(product, version, epoch)) write(path, content)

    const size = totalSize(folder)
    const control = [`Package: svcd`, `Version: ${version}`, `Architecture: ${architecture}`]
    const more = [`Maintainer: ${maintainer}`, `Installed-Size: ${String(Math.ceil(size / 1024))}`]
    write('DEBIAN/control', [...control, ...more, read(files, 'control')].join('\n'))
    write('DEBIAN/conffiles', '/etc/svcd.toml\n')
    for (const script of ['postinst', 'prerm', 'postrm']) write(`DEBIAN/${script}`, read(files, script))
    normalizeModesAndTimes(folder, epoch, isExecutable, (path) => path === 'etc/svcd.toml')

    const path = join(output, `svcd_${version}_${architecture}.deb`)
    mkdirSync(output, { recursive: true })
    // One thread, because the result of several depends on their number.
    const compression = ['-Zzstd', '-z9', '--threads-max=1']
    execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', folder, path], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...env, SOURCE_DATE_EPOCH: String(epoch) },
    })
    return path
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const totalSize = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

/** The maintainer that apt shows for the package. Set the variable when you build it. */
const maintainer = env['SVC_MAINTAINER'] ?? 'Svc <svc@localhost>'

/** The unit of an installation by hand, whose first lines say how to install it. */
function unit(): string {
  const text = read(root, 'deploy/svcd.service')
  return text.slice(text.indexOf('[Unit]')).replace('/opt/svcd/bin/svcd', '/usr/bin/svcd')
}

function documentation(
  product: string,
  version: string,
  epoch: number,
): readonly (readonly [string, string | Buffer])[] {
  // With the Node that runs: that of the product may be for another system.
  const run = (args: readonly string[]) => execFileSync(process.execPath, args, { encoding: 'utf8' })
  const svc = (...args: readonly string[]) => run([join(product, 'clients/svc.mjs'), ...args])
  const svcd = (command: string) =>
    run(serverProcess([command]).args.map((arg) => arg.replace(root, product)))
  const licence = read(root, 'LICENSE')
    .trim()
    .split('\n')
    .map((line) => ` ${line === '' ? '.' : line}`)
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000')
  const entry = `svcd (${version}) stable; urgency=medium\n\n  * /usr/lib/svcd/changelog has the release notes.\n\n -- ${maintainer}  ${date}\n`
  return [
    ['usr/share/doc/svcd/copyright', `${read(files, 'copyright').trimEnd()}\n${licence.join('\n')}\n`],
    ['usr/share/doc/svcd/changelog.gz', gzipSync(entry, { level: 9 })],
    ...['Caddyfile', 'nginx.conf', 'prometheus-alerts.yml', 'grafana-dashboard.json'].map(
      (name) => [`usr/share/doc/svcd/examples/${name}`, read(root, 'deploy', name)] as const,
    ),
    ['usr/share/man/man1/svc.1.gz', gzipSync(svc('man'), { level: 9 })],
    ['usr/share/man/man8/svcd.8.gz', gzipSync(svcd('man'), { level: 9 })],
    ['usr/share/bash-completion/completions/svc', svc('completion', 'bash')],
    ['usr/share/zsh/vendor-completions/_svc', svc('completion', 'zsh')],
    ['usr/share/fish/vendor_completions.d/svc.fish', svc('completion', 'fish')],
  ]
}
