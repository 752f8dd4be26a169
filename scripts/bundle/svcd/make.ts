import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { buildSea } from '../build-sea.ts'
import { environment, serverProcess } from '../../server-process.mjs'
import { root } from '../../setup/runtime.mjs'
import { settingsAsset, startModule, type Settings } from './contents.ts'

const main = 'server/dist/bundle/main.js'

/** What an executable has in another form (its Node and its start), or cannot have: provenance names the files of the folder. */
const isLeftOut = (path: string) =>
  path.startsWith('bin/') || path === 'provenance.json' || /^clients\/.*\/svc(\.exe)?$/.test(path)

export interface ServerExecutable {
  /** The folder of `copyProduct`. */
  readonly product: string
  /** The Node that the executable contains. */
  readonly node: string
  readonly output: string
  /** The Node that builds it: of this system, and of the same version. */
  readonly builder: string
}

/** Builds an executable of the server. The same product and Node give the same bytes. */
export async function makeServerExecutable(executable: ServerExecutable): Promise<void> {
  const { product, node, output, builder } = executable
  const folder = mkdtempSync(join(tmpdir(), 'svcd-executable-'))
  try {
    await bundleStart(join(folder, 'svcd.mjs'))
    writeFileSync(join(folder, startModule), `module.exports = import('./${main}')\n`)
    const files = [
      ...filesIn(product).map((path) => ({ path, file: join(product, path) })),
      { path: startModule, file: join(folder, startModule) },
    ]
    const settings: Settings = { ...summaryOf(files), environment }
    writeFileSync(join(folder, settingsAsset), JSON.stringify(settings))
    buildSea(builder, {
      // The executable contains this path, which is relative so that two builds are equal.
      main: 'svcd.mjs',
      folder,
      node,
      output,
      execArgv: serverProcess([]).args.filter((arg) => arg.startsWith('-')),
      // As for any server: NODE_OPTIONS sets limits of memory, for example.
      execArgvExtension: 'env',
      assets: {
        [settingsAsset]: join(folder, settingsAsset),
        ...Object.fromEntries(files.map(({ path, file }) => [path, file])),
      },
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function bundleStart(file: string): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: 'scripts/bundle/svcd/start.ts',
    platform: 'node',
    logLevel: 'warn',
  })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
}

/** Relative paths with `/`, in an order that does not depend on the machine. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
    .filter((path) => !isLeftOut(path))
    .sort()

function summaryOf(
  files: readonly { readonly path: string; readonly file: string }[],
): Pick<Settings, 'hash' | 'sizes'> {
  const hash = createHash('sha256')
  const sizes: Record<string, number> = {}
  for (const { path, file } of files) {
    const bytes = readFileSync(file)
    sizes[path] = bytes.length
    hash.update(`${path}\0${String(bytes.length)}\0`).update(bytes)
  }
  return { hash: hash.digest('hex').slice(0, 32), sizes }
}
