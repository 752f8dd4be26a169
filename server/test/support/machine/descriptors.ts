import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

const folder = '/proc/self/fd'

/** The targets of the file descriptors of this process on Linux; nothing on other systems. */
function targets(): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((descriptor) => {
    try {
      return [readlinkSync(join(folder, descriptor))]
    } catch {
      // The one that reads the folder.
      return []
    }
  })
}

/** Open data files of a server in this process, including removed ones. */
export const openDataFiles = ({ directory }: { readonly directory: string }): string[] =>
  targets().filter((target) => target.startsWith(join(directory, 'files/')))

/** Sockets of this process, including those of the tests. */
export const openSockets = (): number => targets().filter((target) => target.startsWith('socket:')).length
