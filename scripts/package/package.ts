/**
 * Copies the built product and its Node to one folder that needs nothing else on the machine. npm runs this as `npm run package`, after
 * everything is built:
 *   npm run package                               dist/svcd
 *   npm run package -- FOLDER                     the folder
 *   npm run package -- --system linux-arm64 …     with the Node of another system
 * `FOLDER/bin/svcd` is the command, `FOLDER/sbom.cdx.json` the bill of materials (CycloneDX), `FOLDER/provenance.json` what it was made of.
 */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../setup/runtime.mjs'
import { copyProduct, thisSystem } from './product.ts'
import { findSource } from './source.ts'

const { values, positionals } = parseArgs({
  options: { system: { type: 'string', default: thisSystem } },
  allowPositionals: true,
})
const folder = resolve(positionals[0] ?? join(root, 'dist/svcd'))
const source = findSource()

const count = copyProduct(folder, source, values.system)
console.log(`svcd ${source.version} is in ${folder}, made of ${String(count)} packages`)
