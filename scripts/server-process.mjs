// Command line and environment of the server's process. Plain JavaScript, for old Nodes.
import { join } from 'node:path'
import { projectNode, root } from './setup/runtime.mjs'

/** For every process of the server. By default the C library keeps memory for each of a dozen threads, which hardly allocate. */
export const environment = { MALLOC_ARENA_MAX: '2' }

/** What Node has compiled, which shortens the next start (docs/performance-notes.md). Where it cannot be written, Node goes without it. */
const compileCache = join(root, 'server/dist/compile-cache')

/**
 * The command line, and the variables to add to the environment of the caller.
 * @param {readonly string[]} args
 */
export function serverProcess(args) {
  return {
    command: projectNode() || process.execPath,
    // A large young generation: objects of a request are dead before a collection. Starting fills it, too, so the server
    // collects once after its start, which needs --expose-gc.
    // Without --enable-source-maps: reading the map takes 180 ms at the start, and 50 MB of memory. Stack traces name lines of
    // the bundle, whose comments name the sources; NODE_OPTIONS can add the option.
    args: ['--max-semi-space-size=16', '--expose-gc', join(root, 'server/dist/bundle/main.js'), ...args],
    env: { ...environment, NODE_COMPILE_CACHE: compileCache },
  }
}
