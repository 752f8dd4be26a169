import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { integrity, packages, pinned } from '../setup/runtime.mjs'

/**
 * The pinned Node of another system, from npm.
 * @param system `process.platform` and `process.arch`, such as `linux-arm64`
 * @param folder where the npm package is unpacked
 * @returns path of the executable
 * @throws Error for a system without a package, and if the package is not the one that runtime.json names
 */
export function nodeOfSystem(system: string, folder: string): string {
  const name = packages[system]
  if (name === undefined)
    throw new Error(`there is no Node for ${system}; there is one for ${Object.keys(packages).join(', ')}`)
  const directory = join(folder, system)
  mkdirSync(directory, { recursive: true })
  const pack = ['pack', `${name}@${pinned}`, '--pack-destination', directory, '--silent']
  const file = execFileSync('npm', pack, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
  const checksum = createHash('sha512')
    .update(readFileSync(join(directory, file)))
    .digest('base64')
  if (integrity[`${name}@${pinned}`] !== `sha512-${checksum}`)
    throw new Error(`${name}@${pinned} is not the package that scripts/setup/runtime.json names`)
  execFileSync('tar', ['-xzf', file], { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })
  return join(directory, 'package/bin', system.startsWith('win32-') ? 'node.exe' : 'node')
}
