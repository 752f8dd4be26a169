/**
 * Packages the built product. npm runs this as `npm run package`, after everything is built; arguments.ts has the usage.
 * The folder has the product with its Node, and needs nothing else on the machine. `FOLDER/bin/svcd` is the command,
 * `FOLDER/sbom.cdx.json` the bill of materials (CycloneDX), `FOLDER/provenance.json` what it was made of.
 * With SVC_DOWNLOAD_URL, the address at which the packages of this version are published, and SVC_HOMEPAGE, it writes files for
 * Homebrew, Arch Linux, Nix and winget into dist/package-files.
 * SVC_SIGNING_KEY is a secret key of minisign, with which the checksums are signed.
 */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import { root } from '../setup/runtime.mjs'
import { builder } from '../bundle/executables.ts'
import { packageArguments, usage } from './arguments.ts'
import { writeChecksums } from './checksums.ts'
import { makeDeb } from './deb.ts'
import { packageExecutables } from './executables.ts'
import { makeNpmPackages } from './npm-packages.ts'
import { writePackageFiles } from './package-files.ts'
import { copyProduct, thisSystem } from './product.ts'
import { findSource, type Source } from './source.ts'

const { folder, systems: chosenSystems, executables: chosenExecutables } = readArguments()
const source = findSource()
if (folder === undefined) await packageAll(source, chosenSystems, chosenExecutables)
else copy(resolve(folder), chosenSystems[0])

/** Ends the process for `--help`, and with one line for what is wrong: packaging takes minutes. */
function readArguments() {
  try {
    const parsed = packageArguments(process.argv.slice(2), process.platform)
    if (parsed !== 'help') {
      if (parsed.executables.length > 0) builder()
      return parsed
    }
    console.log(usage)
    process.exit(0)
  } catch (error) {
    console.error(`npm run package: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

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
