// How the server's process is started. Plain JavaScript, for old Nodes.
import { join } from 'node:path'
import { pinnedNode, root } from './pinned-node.mjs'

/** The command line and what its environment has besides the caller's. */
export function serverProcess(args) {
  return {
    command: pinnedNode(),
    // Objects of a request die young: small spaces for new ones cost little speed and save memory that would stay.
    args: [
      '--max-semi-space-size=2',
      '--enable-source-maps',
      join(root, 'server/dist/bundle/main.js'),
      ...args,
    ],
    // The C library keeps memory for each of a dozen threads, which hardly allocate, unless it is told not to.
    env: { MALLOC_ARENA_MAX: '2' },
  }
}
