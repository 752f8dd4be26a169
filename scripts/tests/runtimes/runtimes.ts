/** JavaScript runtimes besides Node, in which the tests run the SDK. They come from npm, since Debian has no packages of them. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { isToolInstalled, tryInstallTool } from '../../setup/install-tool.ts'

interface Runtime {
  readonly name: string
  /** The executable in the package of this system. */
  readonly file: string
  /** Arguments before the name of a program, with which it may use files and the network. */
  readonly args: readonly string[]
}

const runtimes: readonly Runtime[] = [
  { name: 'Deno', file: '@deno/*/deno', args: ['run', '--quiet', '--allow-all', '--no-lock'] },
  { name: 'Bun', file: '@oven/*/bin/bun', args: ['run'] },
]

const tool = { folder: import.meta.dirname, name: 'Deno and Bun for the tests' }

/** @returns its command; undefined when its pinned version is not installed */
const commandOf = ({ file, args }: Runtime): readonly [string, ...string[]] | undefined => {
  if (!isToolInstalled(tool)) return undefined
  const [path] = globSync(join(import.meta.dirname, 'node_modules', file))
  return path === undefined ? undefined : [path, ...args]
}

/** Each runtime with its command, or why its tests are skipped. */
export const otherRuntimes = runtimes.map((runtime) => {
  const command = commandOf(runtime)
  const skipReason = command === undefined ? `${runtime.name} (npm test installs it, with npm)` : null
  return { name: runtime.name, command, skipReason }
})

/**
 * Installs them at the first use: 195 MB on Linux.
 * @returns the error; null after success
 */
export const installRuntimes = (): Promise<string | null> => tryInstallTool(tool)
