// How the server's process is started. Plain JavaScript, for old Nodes.
import { join } from 'node:path'
import { projectNode, root } from './setup/runtime.mjs'

/**
 * The command line and what its environment has besides the caller's.
 * @param {readonly string[]} args
 */
export function serverProcess(args) {
  return {
    command: projectNode() || process.execPath,
    // Large half-spaces for new objects: those of a request die before they are looked at. The start fills them, too,
    // which --expose-gc lets it undo.
    // Without --enable-source-maps: to read the map takes 180 ms of the start, and 50 MB that stay. Stack traces name
    // lines of the bundle, which says where they are from; NODE_OPTIONS can ask for more.
    args: ['--max-semi-space-size=16', '--expose-gc', join(root, 'server/dist/bundle/main.js'), ...args],
    // The C library keeps memory for each of a dozen threads, which hardly allocate, unless it is told not to.
    env: { MALLOC_ARENA_MAX: '2' },
  }
}
