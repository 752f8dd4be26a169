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
  const directories = [...searchPath.split(path.delimiter), '/usr/sbin']
  const found = (tool: string) => directories.some((directory) => isExecutable(path.join(directory, tool)))
  const missing = (Object.keys(packages) as Tool[]).filter((tool) => !found(tool))
  if (missing.length > 0) throw new MissingToolsError(missing)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
