/**
 * Builds the command-line clients in the default folder of the server (`ClientsDirectory`):
 *   node scripts/bundle/bundle-cli.ts                                    svc.mjs and svc.sh
 *   node scripts/bundle/bundle-cli.ts --executables [linux-x64 …]        also executables that bring their Node
 * SVC_UPDATE_KEY is a public key of minisign, or its file: `svc update` of this build then installs only what it signed.
 */
import { existsSync, readFileSync } from 'node:fs'
import { chmod, copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleCli } from './cli-bundle.ts'
import { makeExecutables } from './executables.ts'
import { root } from '../setup/runtime.mjs'

const directory = join(root, 'clients')
const shell = join(directory, 'svc.sh')
const bundle = join(directory, 'svc.mjs')
const [option, ...systems] = process.argv.slice(2)

await mkdir(directory, { recursive: true })
await bundleCli(bundle, keyOption(process.env['SVC_UPDATE_KEY'] ?? ''))
await copyFile(join(root, 'cli/svc.sh'), shell)
await chmod(shell, 0o755)
if (option === '--executables') makeExecutables(bundle, systems)

/** The last line of a file of minisign is the key. */
function keyOption(keyOrPath: string): { readonly updateKey?: string } {
  if (keyOrPath === '') return {}
  const text = existsSync(keyOrPath) ? readFileSync(keyOrPath, 'utf8') : keyOrPath
  const updateKey = text.trim().split('\n').at(-1) ?? ''
  if (!/^RW[\w+/]{54}$/.test(updateKey))
    throw new Error('SVC_UPDATE_KEY is neither a public key of minisign nor its file')
  return { updateKey }
}
