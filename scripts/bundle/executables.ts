import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildSea, sign } from './build-sea.ts'
import { chosen, clientSea, targetsOf, type Target } from './executable-plan.ts'
import { nodeOfSystem } from './node-of-system.ts'
import { nodeOf as installedNode, nodePackage, packages, pinned } from '../setup/runtime.mjs'

/**
 * Builds executables that contain Node, for other systems too: `clients/OS-ARCH/svc[.exe]`. The Node of another system
 * comes from npm and must have the version of the Node that runs this script.
 * @param bundle the program as one file
 * @param targetNames names of systems; none for all that can be built here
 */
export function makeExecutables(bundle: string, targetNames: readonly string[]): void {
  const node = builder()
  const folder = mkdtempSync(join(tmpdir(), 'svc-executables-'))
  try {
    for (const target of chosen(targetsOf(packages), targetNames, process.platform)) {
      const output = join(dirname(bundle), target.file)
      mkdirSync(dirname(output), { recursive: true })
      buildSea(node, clientSea(bundle, nodeOf(target, folder), output))
      if (target.signed) sign(output)
      console.log(output)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The Node that builds executables.
 * @throws Error if the pinned one is not installed
 */
export function builder(): string {
  const node = installedNode(pinned)
  if (!existsSync(node))
    throw new Error(`executables are made with Node ${pinned}, which is not what runs here`)
  return node
}

/** Path of the Node for a system: the one that runs this script, or one from npm. */
const nodeOf = ({ package: packageName, system }: Target, folder: string): string =>
  packageName === nodePackage ? installedNode(pinned) : nodeOfSystem(system, folder)
