/**
 * Packages the built product. npm runs this as `npm run package`, after everything is built:
 *   npm run package                               everything that this machine can make, into dist/: the folder svcd, npm packages, a
 *                                                 Debian package (with dpkg-deb), and checksums of the packages
 *   npm run package -- FOLDER                     the folder only
 *   npm run package -- --system linux-arm64 …     with the Node of another system; several times for several systems
 *   npm run package -- --executable windows-x64   also server and client with Node included, as one file each; several times
 * The folder has the product with its Node, and needs nothing else on the machine. `FOLDER/bin/svcd` is the command,
 * `FOLDER/sbom.cdx.json` the bill of materials (CycloneDX), `FOLDER/provenance.json` what it was made of.
 * With SVC_DOWNLOAD_URL, the address at which the packages of this version are published, and SVC_HOMEPAGE, it writes files for
 * Homebrew, Arch Linux, Nix and winget into dist/package-files.
 * SVC_SIGNING_KEY is a secret key of minisign, with which the checksums are signed.
 */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import { parseArgs } from 'node:util'
import { root } from '../setup/runtime.mjs'
import { writeChecksums } from './checksums.ts'
import { makeDeb } from './deb.ts'
import { packageExecutables } from './executables.ts'
import { makeNpmPackages } from './npm-packages.ts'
import { writePackageFiles } from './package-files.ts'
import { copyProduct, thisSystem } from './product.ts'
import { findSource, type Source } from './source.ts'

const { values, positionals } = parseArgs({
  options: {
    system: { type: 'string', multiple: true, default: [thisSystem] },
    executable: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
})
const source = findSource()
const [folder] = positionals
if (folder === undefined) await packageAll(source, values.system, values.executable)
else copy(resolve(folder), values.system[0])

function copy(target: string, system: string | undefined): string {
  const count = copyProduct(target, source, system)
  console.log(`svcd ${source.version} is in ${target}, made of ${String(count)} packages`)
  return target
}

async function packageAll(
  packaged: Source,
  systems: readonly string[],
  executables: readonly string[],
): Promise<void> {
  const dist = join(root, 'dist')
  const folders = systems.map((system) => {
    const name = system === thisSystem ? 'svcd' : `svcd-${system}`
    return { system, path: copy(join(dist, name), system) }
  })
  // The JavaScript of all systems is the same.
  const [first] = folders
  const archives = first === undefined ? [] : [...(await makeNpmPackages(first.path, dist))]
  const linux = folders.filter(({ system }) => system.startsWith('linux-'))
  if (linux.length > 0 && spawnSync('dpkg-deb', ['--version']).status === 0)
    archives.push(...linux.map(({ system, path }) => makeDeb(path, packaged, system, dist)))
  else console.log('no Debian package is made: it is for Linux, and needs dpkg-deb')
  if (executables.length > 0)
    archives.push(...(await packageExecutables({ names: executables, source: packaged, dist, folders })))
  const checksums = writeChecksums(dist, archives, env['SVC_SIGNING_KEY'])
  console.log([...archives, ...checksums, ...packageFiles(packaged.version, dist)].join('\n'))
}

function packageFiles(version: string, dist: string): readonly string[] {
  const base = env['SVC_DOWNLOAD_URL']
  if (base === undefined) return ['no files for package managers are written: SVC_DOWNLOAD_URL is not set']
  const homepage = env['SVC_HOMEPAGE'] ?? base
  const { written, missing } = writePackageFiles(dist, { version, base, homepage })
  const leftOut = `files for package managers that need them are left out: ${missing.join(', ')}`
  return missing.length === 0 ? written : [...written, leftOut]
}
