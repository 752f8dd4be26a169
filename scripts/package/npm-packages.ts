import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { oldest, root } from '../setup/runtime.mjs'
import { environment, serverProcess } from '../server-process.mjs'
import { packageSdk } from './sdk/sdk-package.ts'

/**
 * Makes the npm packages of the programs and of the SDK.
 * @param product the folder of `copyProduct`; its Node is left out
 * @param output folder of the archives
 * @returns paths of the archives
 */
export async function makeNpmPackages(product: string, output: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-npm-'))
  mkdirSync(output, { recursive: true })
  try {
    await packageSdk(join(folder, 'sdk'))
    copyClient(product, join(folder, 'svc'))
    copyServer(product, join(folder, 'svcd'))
    return ['sdk', 'svc', 'svcd'].map((name) => pack(join(folder, name), output))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function pack(folder: string, output: string): string {
  const args = ['pack', folder, '--pack-destination', output, '--silent', '--ignore-scripts']
  const file = execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  return join(output, file.trim())
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly type?: string
  readonly [property: string]: unknown
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

function writeManifest(folder: string, manifest: Manifest): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

function copyClient(product: string, folder: string): void {
  const { version, license } = manifestOf(join(root, 'cli'))
  mkdirSync(folder)
  for (const file of ['LICENSE', 'clients/svc.mjs']) cpSync(join(product, file), join(folder, basename(file)))
  writeManifest(folder, {
    name: 'svc',
    version,
    description: 'The command-line client of Svc, temporary file uploads.',
    license,
    type: 'module',
    bin: { svc: 'svc.mjs' },
    engines: { node: '>=22.3' },
  })
}

/** A package that npm puts into the archive, because the server reads its files. */
const bundled = '@fastify/swagger-ui'

function copyServer(product: string, folder: string): void {
  const { version, license } = manifestOf(join(root, 'server'))
  cpSync(product, folder, {
    recursive: true,
    filter: (path) => path !== join(product, 'bin') && path !== join(product, 'provenance.json'),
  })
  const {
    name,
    version: bundledVersion,
    license: bundledLicense,
    type,
  } = manifestOf(join(folder, 'node_modules', bundled))
  // The server does not run it, so that npm need not install its dependencies.
  const files = {
    name,
    version: bundledVersion,
    license: bundledLicense,
    ...(type && { type }),
    main: 'index.js',
  }
  writeManifest(join(folder, 'node_modules', bundled), files)
  mkdirSync(join(folder, 'bin'))
  cpSync(join(root, 'scripts/setup/replace-process.mjs'), join(folder, 'bin/replace-process.mjs'))
  writeFileSync(join(folder, 'bin/svcd.mjs'), launcher())
  writeManifest(folder, {
    name: 'svcd',
    version,
    description: 'The server of Svc, temporary file uploads, with its web application and admin commands.',
    license,
    type: 'module',
    bin: { svcd: 'bin/svcd.mjs' },
    engines: { node: `>=${oldest}` },
    dependencies: { [bundled]: bundledVersion },
    bundleDependencies: [bundled],
  })
}

/** Starts the server's process with the Node that runs it, and the same options as in a checkout. */
function launcher(): string {
  const { args } = serverProcess([])
  const words = args.map((arg) => arg.replace(root, '..'))
  return [
    '#!/usr/bin/env node',
    "import { fileURLToPath } from 'node:url'",
    "import { replaceProcess } from './replace-process.mjs'",
    '',
    `const words = ${JSON.stringify(words)}.map((word) =>`,
    "  word.startsWith('-') ? word : fileURLToPath(new URL(word, import.meta.url)),",
    ')',
    `const environment = { ...${JSON.stringify(environment)}, ...process.env }`,
    'replaceProcess(process.execPath, [...words, ...process.argv.slice(2)], environment)',
    '',
  ].join('\n')
}
