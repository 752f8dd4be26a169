import { execFileSync, type ExecFileSyncOptions } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chosen, seaConfig, targetsOf, type Target } from './executable-plan.ts'
import { nodeOfSystem } from '../package/node-of-system.ts'
import { nodeOf as installedNode, nodePackage, packages, pinned } from '../setup/runtime.mjs'

const quiet: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] }

/**
 * Builds executables that contain Node, for other systems too: `clients/OS-ARCH/svc[.exe]`. The Node of another system
 * comes from npm and must have the version of the Node that runs this script.
 * @param bundle the program as one file
 * @param targetNames names of systems; none for all that can be built here
 */
export function makeExecutables(bundle: string, targetNames: readonly string[]): void {
  const node = installedNode(pinned)
  if (!existsSync(node))
    throw new Error(`executables are made with Node ${pinned}, which is not what runs here`)
  const folder = mkdtempSync(join(tmpdir(), 'svc-executables-'))
  try {
    for (const target of chosen(targetsOf(packages), targetNames, process.platform)) {
      const output = join(dirname(bundle), target.file)
      mkdirSync(dirname(output), { recursive: true })
      makeExecutable({ bundle, node: nodeOf(target, folder), output, builder: node })
      if (target.signed) execFileSync('codesign', ['--force', '--sign', '-', output], quiet)
      console.log(output)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Executable {
  /** The program as one file. */
  readonly bundle: string
  /** The Node that it contains. */
  readonly node: string
  readonly output: string
  /** The Node that builds it: of this system, and of the same version. */
  readonly builder: string
}

/** Builds an executable that contains Node. */
export function makeExecutable({ bundle, node, output, builder }: Executable): void {
  const config = `${output}.json`
  try {
    writeFileSync(config, JSON.stringify(seaConfig(bundle, node, output)))
    execFileSync(builder, ['--build-sea', config], quiet)
    chmodSync(output, 0o755)
  } finally {
    rmSync(config, { force: true })
  }
}

/** Path of the Node for a system: the one that runs this script, or one from npm. */
const nodeOf = ({ package: packageName, system }: Target, folder: string): string =>
  packageName === nodePackage ? installedNode(pinned) : nodeOfSystem(system, folder)
