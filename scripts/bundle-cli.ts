import { chmod, copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleCli } from './cli-bundle.ts'
import { root } from './pinned-node.mjs'

// Lays both command-line clients where the server finds them by default (`ClientsDirectory`).
const directory = join(root, 'clients')
const shell = join(directory, 'svc.sh')

await mkdir(directory, { recursive: true })
await bundleCli(join(directory, 'svc.mjs'))
await copyFile(join(root, 'cli/svc.sh'), shell)
await chmod(shell, 0o755)
