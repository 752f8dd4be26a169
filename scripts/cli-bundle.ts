import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { lazyBuiltins } from './lazy-builtins.ts'
import { root } from './setup/runtime.mjs'

export interface BundleOptions {
  /** What the bundle says its version is, instead of that of the package. */
  readonly version?: string
}

/** Puts the command-line client with its packages into one file that any Node from 22.3 on runs. */
export async function bundleCli(file: string, { version }: BundleOptions = {}): Promise<void> {
  const bundle = await rolldown({
    cwd: join(root, 'cli'),
    input: 'src/main.ts',
    platform: 'node',
    logLevel: 'warn',
    // The oldest Node that shall run it.
    transform: { target: 'node22' },
    plugins: [lazyBuiltins(), ...(version === undefined ? [] : [calling(version)])],
    // The contract's schemas are data that nobody here asks for.
    treeshake: { moduleSideEffects: (id) => !id.startsWith(join(root, 'contract/')) },
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, minify: true })
  await bundle.close()
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `#!/usr/bin/env node\n${ascii(output[0].code)}`)
  await chmod(file, 0o755)
}

/** Gives the package another version. */
const calling = (version: string): Plugin => ({
  name: 'version',
  load: (id) => (id === join(root, 'cli/package.json') ? JSON.stringify({ version }) : undefined),
})

/** A single letter beyond ASCII makes a source twice as big in memory, and takes longer to read. */
const ascii = (code: string) =>
  // eslint-disable-next-line no-control-regex -- all of ASCII
  code.replaceAll(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
