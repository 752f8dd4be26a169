import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSea, sign } from '../bundle/build-sea.ts'
import { chosen, clientSea, targetsOf, type Target } from '../bundle/executable-plan.ts'
import { builder } from '../bundle/executables.ts'
import { makeServerExecutable } from '../bundle/svcd/make.ts'
import { packages, root } from '../setup/runtime.mjs'
import { copyProduct } from './product.ts'
import type { Source } from './source.ts'

export interface PackagedExecutables {
  /** Names of targets: `windows-x64`. */
  readonly names: readonly string[]
  readonly source: Source
  readonly dist: string
  /** Folders of `copyProduct` that exist, with `process.platform` and `process.arch` of their Node. */
  readonly folders: readonly { readonly system: string; readonly path: string }[]
}

/**
 * Makes one-file executables of the server and of the client: `svcd-VERSION-OS-ARCH[.exe]` and `svc-VERSION-OS-ARCH[.exe]`.
 * @returns their paths
 */
export async function packageExecutables(options: PackagedExecutables): Promise<readonly string[]> {
  const { names, source, dist } = options
  const targets = chosen(targetsOf(packages), names, process.platform)
  const pathOf = (program: 'svc' | 'svcd', { name, file }: Target) =>
    join(dist, `${program}-${source.version}-${name}${file.endsWith('.exe') ? '.exe' : ''}`)

  for (const target of targets) await makeBoth(target, (program) => pathOf(program, target), options)
  return (['svc', 'svcd'] as const).flatMap((program) => targets.map((target) => pathOf(program, target)))
}

async function makeBoth(
  { system, signed }: Target,
  pathOf: (program: 'svc' | 'svcd') => string,
  { source, folders }: PackagedExecutables,
): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), 'svc-executables-'))
  try {
    let product = folders.find((folder) => folder.system === system)?.path
    if (product === undefined) {
      product = join(temporary, 'svcd')
      copyProduct(product, source, system)
    }
    const node = join(product, 'bin', system.startsWith('win32-') ? 'node.exe' : 'node')
    buildSea(builder(), clientSea(join(root, 'clients/svc.mjs'), node, pathOf('svc')))
    await makeServerExecutable({ product, node, output: pathOf('svcd'), builder: builder() })
    if (signed) for (const program of ['svc', 'svcd'] as const) sign(pathOf(program))
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}
