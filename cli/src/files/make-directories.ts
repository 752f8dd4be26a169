import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemCode } from '../errors/error-message.ts'

/**
 * Creates a folder and those that it lies in.
 * @param mode permissions of the created folders
 * @throws errors of the system. Node's own function reports that a folder is missing, where the disk is read-only.
 */
export async function makeDirectories(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode })
  } catch (error) {
    // The first folder that is missing has the reason.
    if (systemCode(error) === 'ENOENT') await mkdir(await firstMissing(path), { mode })
    throw error
  }
}

async function firstMissing(path: string): Promise<string> {
  let missing = path
  for (;;) {
    const parent = dirname(missing)
    const exists = await stat(parent).then(
      () => true,
      () => false,
    )
    if (exists || parent === missing) return missing
    missing = parent
  }
}
