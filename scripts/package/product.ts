import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { pinned, root } from '../setup/runtime.mjs'
import { normalizeModesAndTimes } from './normalize-modes-and-times.ts'
import { nodeLauncher, shellLauncher } from './launchers.ts'
import { nodeOfSystem } from '../bundle/node-of-system.ts'
import { provenanceOf } from './provenance.ts'
import { sbomOf } from './sbom.ts'
import type { Source } from './source.ts'

/** Packages that the bundle reads as files: the page of the API's description. */
const readerOfTheApi = 'node_modules/@fastify/swagger-ui'

const parts = [
  'LICENSE',
  'changelog',
  'clients',
  'server/dist/bundle',
  'server/package.json',
  'webapp/dist',
  ...['LICENSE', 'index.js', 'package.json', 'static'].map((part) => join(readerOfTheApi, part)),
]

/** `process.platform` and `process.arch` of this machine. */
export const thisSystem = `${process.platform}-${process.arch}`

/**
 * Copies the built product and a Node to one folder that needs nothing else on the machine. The same source gives the same
 * bytes, modes and times.
 * @param folder output folder; its old content is deleted
 * @param system the system on which the folder is to run
 * @returns the number of packages in its bill of materials
 */
export function copyProduct(folder: string, source: Source, system = thisSystem): number {
  const temporary = mkdtempSync(join(tmpdir(), 'svc-package-'))
  try {
    const isOwn = system === thisSystem
    const node = isOwn ? process.execPath : nodeOfSystem(system, temporary)
    const version = isOwn ? process.versions.node : pinned
    rmSync(folder, { recursive: true, force: true })
    for (const part of parts) {
      mkdirSync(dirname(join(folder, part)), { recursive: true })
      cpSync(join(root, part), join(folder, part), {
        recursive: true,
        filter: (path) => !path.endsWith('.map'),
      })
    }
    mkdirSync(join(folder, 'bin'))
    cpSync(node, join(folder, 'bin', basename(node)))
    writeFileSync(join(folder, 'bin/svcd'), shellLauncher(basename(node)))
    writeFileSync(join(folder, 'bin/svcd.mjs'), nodeLauncher(basename(node)))
    const sbom = sbomOf({ path: node, version }, source)
    writeJson(join(folder, 'sbom.cdx.json'), sbom)
    const provenance = provenanceOf(folder, filesIn(folder), { source, system, node: version })
    writeJson(join(folder, 'provenance.json'), provenance)
    normalizeModesAndTimes(folder, source.epoch, isProgram)
    return sbom.components.length
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

const writeJson = (path: string, value: unknown) => {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort()

const isProgram = (path: string) =>
  path.startsWith('bin/') || path.endsWith('.sh') || /^clients\/.*\/svc(\.exe)?$/.test(path)
