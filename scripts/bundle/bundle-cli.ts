/**
 * Builds the command-line clients in the default folder of the server (`ClientsDirectory`):
 *   node scripts/bundle/bundle-cli.ts                                    svc.mjs and svc.sh
 *   node scripts/bundle/bundle-cli.ts --executables [linux-x64 …]        also executables that bring their Node
 */
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
await bundleCli(bundle)
await copyFile(join(root, 'cli/svc.sh'), shell)
await chmod(shell, 0o755)
if (option === '--executables') makeExecutables(bundle, systems)
