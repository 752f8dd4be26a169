/**
 * Copies the built product and its Node to one folder that needs nothing else on the machine:
 *   node scripts/package/package.ts [FOLDER]       dist/svcd by default
 * `FOLDER/bin/svcd` is the command, `FOLDER/sbom.cdx.json` the bill of materials (CycloneDX). npm runs this as `npm run package`, after everything is built.
 */
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { sbomOf } from './sbom.ts'
import { root } from '../setup/runtime.mjs'
import { serverProcess } from '../server-process.mjs'

const folder = resolve(process.argv[2] ?? join(root, 'dist/svcd'))

/** Packages that the bundle reads as files: the page of the API's description. */
const readerOfTheApi = 'node_modules/@fastify/swagger-ui'

const parts = [
  'LICENSE',
  'changelog',
  'clients',
  'server/dist/bundle',
  'server/package.json',
  'webapp/dist',
  ...['LICENSE', 'index.js', 'package.json', 'static'].map((part) => join(readerOfTheApi, part)),
]

const { args, env } = serverProcess([])
const node = process.execPath

rmSync(folder, { recursive: true, force: true })
for (const part of parts) {
  mkdirSync(dirname(join(folder, part)), { recursive: true })
  cpSync(join(root, part), join(folder, part), {
    recursive: true,
    filter: (source) => !source.endsWith('.map'),
  })
}
mkdirSync(join(folder, 'bin'))
cpSync(node, join(folder, 'bin', basename(node)))
writeFileSync(join(folder, 'bin/svcd'), launcher())
chmodSync(join(folder, 'bin/svcd'), 0o755)

const sbom = sbomOf(node)
writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`)

const { version } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8')) as { version: string }
console.log(`svcd ${version} is in ${folder}, made of ${String(sbom.components.length)} packages`)

/** A script that starts the server's process as a checkout does, regardless of where the folder is. */
function launcher(): string {
  const here = '$(dirname "$(readlink -f "$0")")/..'
  const words = args.map((arg) => (arg.startsWith(root) ? `"$here/${relative(root, arg)}"` : arg))
  const settings = Object.entries(env).map(([name, value]) => `export ${name}="\${${name}:-${value}}"`)
  return [
    '#!/bin/sh',
    `here="${here}"`,
    ...settings,
    `exec "$here/bin/${basename(node)}" ${words.join(' ')} "$@"`,
    '',
  ].join('\n')
}
