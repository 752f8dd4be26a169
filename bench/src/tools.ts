import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** Programs that the benchmarks need, and the Debian packages that bring them. */
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
 * Makes sure that every program is there.
 * @param searchPath the directories to look in, as the variable `PATH` has them
 * @throws MissingToolsError
 */
export function requireTools(searchPath: string): void {
  // Debian keeps nginx where an ordinary user does not look.
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
