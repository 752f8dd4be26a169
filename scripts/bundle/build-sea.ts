import { execFileSync, type ExecFileSyncOptions } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'

const quiet: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] }

export interface Sea {
  /** The program as one module. Its path becomes a part of the executable. */
  readonly main: string
  /** Folder of relative paths. */
  readonly folder: string
  /** The Node that it contains. */
  readonly node: string
  readonly output: string
  /** Options of Node. */
  readonly execArgv?: readonly string[]
  /** `env`: NODE_OPTIONS applies to the executable. */
  readonly execArgvExtension: 'none' | 'env'
  /** Paths of files by the names that the program reads them with. */
  readonly assets: Readonly<Record<string, string>>
}

/**
 * Builds an executable that contains Node (https://nodejs.org/api/single-executable-applications.html).
 * @param builder a Node of this system, of the same version
 */
export function buildSea(builder: string, sea: Sea): void {
  const { output, folder } = sea
  const config = `${output}.json`
  try {
    writeFileSync(config, JSON.stringify(seaConfig(sea)))
    execFileSync(builder, ['--build-sea', config], { ...quiet, cwd: folder })
    chmodSync(output, 0o755)
  } finally {
    rmSync(config, { force: true })
  }
}

/** Signs an executable for Apple's systems, on one of them. */
export function sign(executable: string): void {
  execFileSync('codesign', ['--force', '--sign', '-', executable], quiet)
}

const seaConfig = ({ main, node, output, execArgv = [], execArgvExtension, assets }: Sea) => ({
  main,
  mainFormat: 'module',
  executable: node,
  output,
  disableExperimentalSEAWarning: true,
  execArgv,
  execArgvExtension,
  assets,
})
