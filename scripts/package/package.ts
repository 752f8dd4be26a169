/**
 * Packages the built product. npm runs this as `npm run package`, after everything is built:
 *   npm run package                               everything that this machine can make, into dist/: the folder svcd, npm packages, a
 *                                                 Debian package (with dpkg-deb), and checksums
 *   npm run package -- FOLDER                     the folder only
 *   npm run package -- --system linux-arm64 …     with the Node of another system
 * The folder has the product with its Node, and needs nothing else on the machine. `FOLDER/bin/svcd` is the command,
 * `FOLDER/sbom.cdx.json` the bill of materials (CycloneDX), `FOLDER/provenance.json` what it was made of.
 * SVC_SIGNING_KEY is a secret key of minisign, with which the checksums are signed.
 */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import { parseArgs } from 'node:util'
import { root } from '../setup/runtime.mjs'
import { writeChecksums } from './checksums.ts'
import { makeDeb } from './deb.ts'
import { makeNpmPackages } from './npm-packages.ts'
import { copyProduct, thisSystem } from './product.ts'
import { findSource } from './source.ts'

const { values, positionals } = parseArgs({
  options: { system: { type: 'string', default: thisSystem } },
  allowPositionals: true,
})
const dist = join(root, 'dist')
const folder = resolve(positionals[0] ?? join(dist, 'svcd'))
const source = findSource()

const count = copyProduct(folder, source, values.system)
console.log(`svcd ${source.version} is in ${folder}, made of ${String(count)} packages`)

if (positionals.length === 0) {
  const archives = [...(await makeNpmPackages(folder, dist))]
  const isLinux = values.system.startsWith('linux-')
  if (isLinux && spawnSync('dpkg-deb', ['--version']).status === 0)
    archives.push(makeDeb(folder, source, values.system, dist))
  else console.log('no Debian package is made: it is for Linux, and needs dpkg-deb')
  console.log([...archives, ...writeChecksums(dist, archives, env['SVC_SIGNING_KEY'])].join('\n'))
}
