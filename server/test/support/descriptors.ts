import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

const folder = '/proc/self/fd'

/** What the file descriptors of this process stand for, as Linux tells it; nothing on other systems. */
function targets(): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((descriptor) => {
    try {
      return [readlinkSync(join(folder, descriptor))]
    } catch {
      // The one by which the folder was read.
      return []
    }
  })
}

/** Data files of a server in this process that are open, removed ones too. */
export const openDataFiles = ({ directory }: { readonly directory: string }): string[] =>
  targets().filter((target) => target.startsWith(join(directory, 'files/')))

/** Sockets of this process, those of the tests among them. */
export const openSockets = (): number => targets().filter((target) => target.startsWith('socket:')).length
