import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { writePackageFiles } from '../../../scripts/package/package-files.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

const published = {
  version: '97.98.99',
  base: 'https://downloads.example/v97.98.99/',
  homepage: 'https://svc.example',
}

let dist: string
beforeEach(async () => {
  dist = await temporaryDirectory()
})

const add = (...names: readonly string[]) =>
  Promise.all(names.map((name) => writeFile(join(dist, name), name)))
const linux = ['svcd_97.98.99_amd64.deb', 'svcd_97.98.99_arm64.deb']
const all = [...linux, 'svc-97.98.99.tgz', 'svcd-97.98.99.tgz', 'svc-97.98.99-windows-x64.exe']

const write = () => {
  const { written, missing } = writePackageFiles(dist, published)
  return { written: written.map((path) => relative(join(dist, 'package-files'), path)), missing }
}
const read = (name: string) => readFile(join(dist, 'package-files', name), 'utf8')

const files = [
  'PKGBUILD',
  'default.nix',
  'svc.rb',
  'svcd.rb',
  'winget/Svc.svc.installer.yaml',
  'winget/Svc.svc.locale.en-US.yaml',
  'winget/Svc.svc.yaml',
]

test('files of package managers have the version, the addresses and the checksums', async () => {
  await add(...all)
  expect(write()).toEqual({ written: files, missing: [] })
  for (const name of files) {
    const text = await read(name)
    expect(text).toContain('97.98.99')
    expect(text).not.toMatch(/@[A-Z]|97\.98\.99\/\//)
  }
  for (const [name, archives] of [
    ['PKGBUILD', linux],
    ['default.nix', ['svc-97.98.99.tgz', 'svcd-97.98.99.tgz']],
    ['svc.rb', ['svc-97.98.99.tgz']],
    ['svcd.rb', ['svcd-97.98.99.tgz']],
    ['winget/Svc.svc.installer.yaml', ['svc-97.98.99-windows-x64.exe']],
  ] as const)
    for (const archive of archives) expect(await read(name)).toContain(hash('sha256', archive))
})

test('files whose archives are missing are left out, those of winget together', async () => {
  await add('svc-97.98.99.tgz')
  expect(write()).toEqual({ written: ['svc.rb'], missing: all.filter((name) => name !== 'svc-97.98.99.tgz') })
})

test('the shell accepts the file for Arch Linux, which names an archive for each architecture', async () => {
  await add(...all)
  write()
  const script = `. ./PKGBUILD && printf '%s\\n' "$pkgver" "\${source_x86_64[@]}" "\${source_aarch64[@]}" && declare -F package`
  const output = execFileSync('bash', ['-euc', script], {
    cwd: join(dist, 'package-files'),
    encoding: 'utf8',
  })
  const addresses = linux.map((name) => `https://downloads.example/v97.98.99/${name}`)
  expect(output.trim().split('\n')).toEqual(['97.98.99', ...addresses, 'package'])
})

test('the files of winget have one identifier and one version', async () => {
  await add(...all)
  write()
  for (const name of files.filter((file) => file.startsWith('winget/')))
    expect(parse(await read(name))).toMatchObject({
      PackageIdentifier: 'Svc.svc',
      PackageVersion: '97.98.99',
      ManifestVersion: '1.6.0',
    })
})
