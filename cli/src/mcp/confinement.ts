import { lstat, realpath } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { systemCode } from '../errors/error-message.ts'
import { localFailure } from '../errors/failure.ts'

/** Keeps a program with a language model inside of one folder. */
export interface Confinement {
  /** Real path of the folder. */
  readonly folder: string
  /**
   * Checks that a path, which need not exist, is in the folder when its links are followed.
   * @throws Failure
   */
  readonly require: (path: string) => Promise<void>
  /** Whether there is something at a path. */
  readonly exists: (path: string) => Promise<boolean>
}

/** @throws Failure if there is no such folder */
export async function confine(directory: string, input: string): Promise<Confinement> {
  const folder = await realpath(resolve(directory, input)).catch((error: unknown) => {
    throw localFailure(`--folder ${input}: no such folder`, error)
  })
  const isInside = (path: string) => {
    const way = relative(folder, path)
    return way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path
  }
  return {
    folder,
    async require(path) {
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

/** The real path of what is at a path, or of the folder in which it would be created. */
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
