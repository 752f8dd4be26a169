import { lstat, realpath } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { systemCode } from '../errors/error-message.ts'
import { localFailure } from '../errors/failure.ts'

/** Confines the tools of a language model to one folder. */
export interface Confinement {
  /** Real path of the folder. */
  readonly folder: string
  /**
   * Checks that a path is in the folder after its symbolic links are resolved. The path need not exist.
   * @throws Failure
   */
  readonly requireInside: (path: string) => Promise<void>
  /** Whether a path exists, if only as a symbolic link. */
  readonly exists: (path: string) => Promise<boolean>
}

/** @throws Failure if there is no such folder */
export async function confine(directory: string, input: string): Promise<Confinement> {
  const folder = await realpath(resolve(directory, input)).catch((error: unknown) => {
    throw localFailure(`--folder ${input}: no such folder`, error)
  })
  const isInside = (path: string) => {
    const relativePath = relative(folder, path)
    return (
      relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && resolve(folder, relativePath) === path
    )
  }
  return {
    folder,
    async requireInside(path) {
      const real = await realPathOf(resolve(folder, path))
      if (!isInside(real)) throw localFailure(`${path} is outside ${folder}, the folder of svc mcp`)
    },
    exists: (path) =>
      lstat(resolve(folder, path)).then(
        () => true,
        () => false,
      ),
  }
}

/** The path with its symbolic links resolved; of a missing file, the path at which it would be created. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path)
      throw localFailure(`${path} cannot be read`, error)
    // A link that leads nowhere yet would be followed when its target is created.
    if (await lstat(path).catch(() => undefined)) throw localFailure(`${path} is a link that leads nowhere`)
    return resolve(await realPathOf(dirname(path)), path.slice(dirname(path).length).replace(/^[/\\]+/, ''))
  }
}
