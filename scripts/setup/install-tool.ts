import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { chooseRuntime } from './install-runtime.mjs'
import { runNpm } from './npm.mjs'
import { oneAtATime } from './one-at-a-time.mjs'
import { runtimes } from './runtime.mjs'

/** A program whose packages the project installs for nothing else. */
interface Tool {
  /** Has `package.json` and `package-lock.json`. */
  readonly folder: string
  /** What the progress shows, such as `the mutation tester`. */
  readonly name: string
}

const lockOf = (folder: string): string => readFileSync(join(folder, 'package-lock.json'), 'utf8')
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
/** Written when everything is installed. */
const installedLockOf = (folder: string): string => join(folder, 'node_modules', '.installed-lock')

/** Whether the packages of the current lock file are installed. */
export function isToolInstalled({ folder }: Pick<Tool, 'folder'>): boolean {
  const installed = installedLockOf(folder)
  return existsSync(installed) && readFileSync(installed, 'utf8') === hashOf(lockOf(folder))
}

/** Installs a tool at its first use, and when its lock file has changed. */
export async function installTool({ folder, name }: Tool): Promise<void> {
  const isInstalled = () => isToolInstalled({ folder })
  if (isInstalled()) return
  const text = lockOf(folder)
  await oneAtATime(join(runtimes, `set-up-${basename(folder)}`), async () => {
    if (isInstalled()) return
    const { packages } = JSON.parse(text) as { readonly packages: object }
    const { node, npm } = await chooseRuntime()
    await runNpm(['ci', '--include=dev', '--ignore-scripts'], {
      folder,
      what: `Installing ${name}`,
      total: Object.keys(packages).length,
      ...(npm !== undefined && { runtime: { node, npm } }),
    })
    writeFileSync(installedLockOf(folder), hashOf(text))
  })
}

/**
 * Installs a tool, as `installTool` does.
 * @returns the error; null after success
 */
export async function tryInstallTool(tool: Tool): Promise<string | null> {
  try {
    await installTool(tool)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
