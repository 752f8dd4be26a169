import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '../../setup/runtime.mjs'
import { sdkDeclarations } from './sdk-declarations.ts'
import { bundleEncryption } from './sdk-encryption.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
}

/** The package.json of the published package: a module for Node and bundlers, without dependencies. */
const publishedManifest = ({ name, version, description, license }: Manifest) => ({
  name,
  version,
  description,
  license,
  keywords: ['file', 'upload', 'download', 'resumable', 'tus', 'encryption', 'age', 'svc'],
  type: 'module',
  sideEffects: false,
  engines: { node: '>=22' },
  exports: {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './encryption': {
      types: './dist/encryption/browser.d.ts',
      node: './dist/encryption/node/index.js',
      default: './dist/encryption/browser/index.js',
    },
    './package.json': './package.json',
  },
  files: ['dist'],
})

/**
 * Builds the SDK as a standalone package.
 * @param directory output folder; its old content is deleted
 */
export async function packageSdk(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  const declarations = sdkDeclarations()
  const bundle = await rolldown({
    cwd: join(root, 'sdk'),
    input: 'src/index.ts',
    platform: 'neutral',
    logLevel: 'warn',
    transform: { target: 'es2022' },
    // The package does not use the schemas of the contract.
    treeshake: { moduleSideEffects: false },
  })
  await bundle.write({ dir: join(directory, 'dist'), format: 'esm', codeSplitting: false })
  await bundle.close()
  await bundleEncryption(join(directory, 'dist/encryption'))
  for (const [file, text] of declarations) {
    const path = join(directory, 'dist', file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  const manifest = JSON.parse(await readFile(join(root, 'sdk/package.json'), 'utf8')) as Manifest
  await writeFile(
    join(directory, 'package.json'),
    `${JSON.stringify(publishedManifest(manifest), undefined, 2)}\n`,
  )
  await copyFile(join(root, 'LICENSE'), join(directory, 'LICENSE'))
  await copyFile(join(root, 'sdk/README.md'), join(directory, 'README.md'))
}
