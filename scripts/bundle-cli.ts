import { chmod, copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './pinned-node.mjs'

/**
 * Puts the command-line client with its packages into one file that any Node from 22 on runs, and lays it beside the
 * shell client where the server finds them by default (`ClientsDirectory`).
 */
const directory = join(root, 'clients')
const cli = join(root, 'cli')

await mkdir(directory, { recursive: true })
const bundle = await rolldown({
  cwd: cli,
  input: 'src/main.ts',
  platform: 'node',
  logLevel: 'warn',
  // The contract's schemas are data that nobody here asks for.
  treeshake: { moduleSideEffects: (id) => !id.startsWith(join(root, 'contract/')) },
})
const file = join(directory, 'svc.mjs')
await bundle.write({
  file,
  format: 'esm',
  codeSplitting: false,
  minify: true,
  banner: '#!/usr/bin/env node',
})
await chmod(file, 0o755)
await copyFile(join(cli, 'svc.sh'), join(directory, 'svc.sh'))
await chmod(join(directory, 'svc.sh'), 0o755)
