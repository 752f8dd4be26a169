import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { ascii } from './ascii.ts'
import { deferModules } from './deferred.ts'
import { lazyBuiltins } from './lazy-builtins.ts'
import { root } from '../setup/runtime.mjs'

export interface BundleOptions {
  /** Version of the bundle, if it differs from that of the package. */
  readonly version?: string
  /** The public key of minisign that `svc update` verifies programs with, in base64. */
  readonly updateKey?: string
}

/** Bundles the command-line client and its packages into one file for Node 22.3 and newer. */
export async function bundleCli(file: string, options: BundleOptions = {}): Promise<void> {
  const program = await bundled('src/main.ts', 'cjs', [
    deferModules([join(root, 'cli/src/mcp/packages.ts')]),
    lazyBuiltins({ requireCalls: true }),
    withOptions(options),
  ])
  const start = await bundled('src/start.ts', 'esm', [
    lazyBuiltins({ requireCalls: true }),
    withText(program),
  ])
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `#!/usr/bin/env node\n${start}`)
  await chmod(file, 0o755)
}

/** @returns the code of a module of the client with all that it imports */
async function bundled(input: string, format: 'cjs' | 'esm', plugins: readonly Plugin[]): Promise<string> {
  const bundle = await rolldown({
    cwd: join(root, 'cli'),
    input,
    platform: 'node',
    logLevel: 'warn',
    // The oldest supported Node.
    transform: { target: 'node22' },
    plugins: [...plugins],
    // The bundle does not use the schemas of the contract.
    treeshake: { moduleSideEffects: (id) => !id.startsWith(join(root, 'contract/')) },
  })
  const { output } = await bundle.generate({ format, codeSplitting: false, minify: true })
  await bundle.close()
  return ascii(output[0].code)
}

/** Puts the program into the module that starts it. */
const withText = (program: string): Plugin => ({
  name: 'text',
  load: (id) =>
    id === join(root, 'cli/src/program/program-text.ts')
      ? `export const programText = ${JSON.stringify(program)}`
      : undefined,
})

/** Replaces the version of the package, and the key. */
const withOptions = ({ version, updateKey }: BundleOptions): Plugin => ({
  name: 'options',
  load: (id) => {
    if (version !== undefined && id === join(root, 'cli/package.json')) return JSON.stringify({ version })
    if (updateKey !== undefined && id === join(root, 'cli/src/update/update-key.ts'))
      return `export const updateKey = ${JSON.stringify(updateKey)}`
    return undefined
  },
})
