import { chmodSync, lutimesSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Gives a folder modes and times that do not depend on the machine.
 * @param epoch seconds since 1970
 * @param isProgram which files are executable, by their paths in the folder
 */
export function normalize(folder: string, epoch: number, isProgram: (path: string) => boolean): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const executable = entry.isDirectory() || isProgram(relative(folder, path))
    if (!entry.isSymbolicLink()) chmodSync(path, executable ? 0o755 : 0o644)
    lutimesSync(path, epoch, epoch)
  }
  chmodSync(folder, 0o755)
  lutimesSync(folder, epoch, epoch)
}
