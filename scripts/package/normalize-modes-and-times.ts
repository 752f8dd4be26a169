import { chmodSync, lutimesSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Gives a folder modes and times that do not depend on the machine.
 * @param epoch seconds since 1970
 * @param isProgram whether a file is executable, by its path in the folder
 * @param isSecret whether only its owner and group can read a file
 */
export function normalizeModesAndTimes(
  folder: string,
  epoch: number,
  isProgram: (path: string) => boolean,
  isSecret: (path: string) => boolean = () => false,
): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const executable = entry.isDirectory() || isProgram(relative(folder, path))
    const fileMode = isSecret(relative(folder, path)) ? 0o640 : 0o644
    if (!entry.isSymbolicLink()) chmodSync(path, executable ? 0o755 : fileMode)
    lutimesSync(path, epoch, epoch)
  }
  chmodSync(folder, 0o755)
  lutimesSync(folder, epoch, epoch)
}
