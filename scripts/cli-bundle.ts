import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './pinned-node.mjs'

/** Puts the command-line client with its packages into one file that any Node from 22 on runs. */
export async function bundleCli(file: string): Promise<void> {
  const bundle = await rolldown({
    cwd: join(root, 'cli'),
    input: 'src/main.ts',
    platform: 'node',
    logLevel: 'warn',
    // The contract's schemas are data that nobody here asks for.
    treeshake: { moduleSideEffects: (id) => !id.startsWith(join(root, 'contract/')) },
  })
  await bundle.write({
    file,
    format: 'esm',
    codeSplitting: false,
    minify: true,
    banner: '#!/usr/bin/env node',
  })
  await chmod(file, 0o755)
}
