import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** The programs that the benchmarks need, and their Debian packages. */
const packages = { nginx: 'nginx-light', wrk: 'wrk', curl: 'curl', age: 'age' } as const

export type Tool = keyof typeof packages

/** Programs are missing on this machine. */
export class MissingToolsError extends Error {
  override readonly name = 'MissingToolsError'

  constructor(missing: readonly Tool[]) {
    const wanted = missing.map((tool) => packages[tool]).join(' ')
    super(`the benchmarks need ${missing.join(', ')}: apt-get install -y --no-install-recommends ${wanted}`)
  }
}

/**
 * Checks that every program is installed.
 * @param searchPath the directories to search, in the format of the variable `PATH`
 * @throws MissingToolsError
 */
export function requireTools(searchPath: string): void {
  // Debian installs nginx outside the path of ordinary users.
  const directories = `${searchPath}${path.delimiter}/usr/sbin`
  const missing = (Object.keys(packages) as Tool[]).filter((tool) => !isInstalled(tool, directories))
  if (missing.length > 0) throw new MissingToolsError(missing)
}

/** @param searchPath the directories to search, in the format of the variable `PATH` */
export const isInstalled = (program: string, searchPath: string): boolean =>
  searchPath.split(path.delimiter).some((directory) => isExecutable(path.join(directory, program)))

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
