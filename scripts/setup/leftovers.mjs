// Removes what earlier set-ups left in the folder of Node. Plain JavaScript of 2019, for old Nodes.
import * as fs from 'node:fs'
import { join, sep } from 'node:path'
import { cache, fallback, pinned, runtimes } from './runtime.mjs'

/** Removes folders of interrupted downloads. */
export const removeInterrupted = () => removeUnused((name) => name.startsWith('new-'))

/** Removes Nodes of earlier versions of the project. */
export const removeOldNodes = () =>
  removeUnused((name) => /^\d+\.\d+\.\d+$/.test(name) && name !== pinned && name !== fallback)

function removeUnused(isLeft) {
  for (const name of fs.readdirSync(runtimes).filter(isLeft)) {
    const folder = join(runtimes, name)
    if (!isUsed(folder)) removeFolder(folder)
  }
}

/** Removes the packages that npm kept here because its usual cache cannot be written. */
export const removeCache = () => removeFolder(cache)

const removeFolder = (folder) => fs.rmSync(folder, { recursive: true, force: true })

/** Whether a process runs a program in a folder, or works there. Without /proc, a folder counts for an hour. */
function isUsed(folder) {
  if (!fs.existsSync('/proc/self/exe')) return fs.statSync(folder).mtimeMs > Date.now() - 3_600_000
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((id) =>
      ['exe', 'cwd'].some((what) => `${targetOf(`/proc/${id}/${what}`)}${sep}`.startsWith(folder + sep)),
    )
}

function targetOf(link) {
  try {
    return fs.readlinkSync(link)
  } catch {
    // The process has ended, or belongs to another user.
    return ''
  }
}
