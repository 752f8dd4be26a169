import { getAsset, isSea } from 'node:sea'
import type { Program } from './program.ts'

/** Name under which an executable carries the bundle that it is made of. */
const bundleAsset = 'svc.mjs'

type OwnProgram = Pick<Program, 'script' | 'installed'>

/** Where this program lies. A thread of an executable, which is not a script, gets the bundle from within it. */
export function ownProgram({ argv, execPath }: Pick<NodeJS.Process, 'argv' | 'execPath'>): OwnProgram {
  if (!isSea()) {
    const path = argv[1] ?? ''
    return { script: path, installed: { kind: 'bundle', path } }
  }
  return {
    get script() {
      const bundle = Buffer.from(getAsset(bundleAsset)).toString('base64')
      return new URL(`data:text/javascript;base64,${bundle}`)
    },
    installed: { kind: 'executable', path: execPath },
  }
}
