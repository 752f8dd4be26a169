import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { root } from '../../setup/runtime.mjs'

/** The published workers are beside the engines, and have the names that the engines load. */
const input = {
  'node/index': 'sdk/src/encryption/node.ts',
  'node/worker': 'encryption/src/node/worker.ts',
  'browser/index': 'sdk/src/encryption/browser.ts',
  'browser/worker': 'encryption/src/browser/worker.ts',
}

/** The worker of browsers has a literal address, by which bundlers find it. */
const publishedWorker: Plugin = {
  name: 'published-worker',
  transform: (code, id) =>
    id === join(root, 'encryption/src/browser/engine.ts')
      ? code.replace("new URL('./worker.ts'", "new URL('./worker.js'")
      : undefined,
}

/** The folder of the package that a module belongs to; undefined for our own modules. */
const packageOf = (module: string) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0]

/** The licences of the packages that the modules come from, which ask for their text in each copy. */
async function licensesOf(modules: readonly string[]): Promise<string> {
  const folders = [...new Set(modules.map(packageOf))].filter((folder) => folder !== undefined).toSorted()
  const texts = await Promise.all(
    folders.map(async (folder) => {
      const { name } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { name: string }
      const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt'].find((name) => existsSync(join(folder, name)))
      if (file === undefined) throw new Error(`${name} has no text of its licence`)
      return `${name}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`
    }),
  )
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

/**
 * Writes the modules of the entry `./encryption`, which contain the packages that they use.
 * @param directory folder of the entry
 */
export async function bundleEncryption(directory: string): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input,
    platform: 'neutral',
    external: /^node:/,
    logLevel: 'warn',
    transform: { target: 'es2022' },
    plugins: [publishedWorker],
  })
  const { output } = await bundle.write({
    dir: directory,
    format: 'esm',
    chunkFileNames: 'shared/[name].js',
  })
  await bundle.close()
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  await writeFile(join(directory, 'third-party-licenses.txt'), await licensesOf(modules))
}
