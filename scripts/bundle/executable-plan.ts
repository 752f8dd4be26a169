import { basename, dirname } from 'node:path'
import type { Sea } from './build-sea.ts'

/** A system for which an npm package has the pinned Node, and the parts of its executable. */
export interface Target {
  /** Folder below `clients/`: `linux-x64`, `windows-x64`. */
  readonly name: string
  /** `process.platform` and `process.arch`. */
  readonly system: string
  /** npm package with the Node. */
  readonly package: string
  /** Path of the executable below `clients/`. */
  readonly file: string
  /** Apple's systems only run signed programs; signing needs a program of Apple. */
  readonly signed: boolean
}

/** @param packages npm packages by `process.platform` and `process.arch` */
export function targetsOf(packages: Readonly<Record<string, string>>): readonly Target[] {
  return Object.entries(packages).map(([system, name]) => {
    const windows = system.startsWith('win32-')
    const folder = windows ? system.replace('win32-', 'windows-') : system
    const ending = windows ? '.exe' : ''
    return {
      name: folder,
      system,
      package: name,
      file: `${folder}/svc${ending}`,
      signed: system.startsWith('darwin-'),
    }
  })
}

/**
 * The requested executables, or all that this system can build.
 * @param asked names of targets; none for all
 * @throws Error for a target that is unknown or cannot be built here
 */
export function chosen(
  targets: readonly Target[],
  asked: readonly string[],
  host: NodeJS.Platform,
): readonly Target[] {
  const canMake = ({ signed }: Target) => !signed || host === 'darwin'
  if (asked.length === 0) return targets.filter(canMake)
  return asked.map((name) => {
    const target = targets.find((candidate) => candidate.name === name)
    if (target === undefined)
      throw new Error(
        `there is no target ${name}; there are ${targets.map((known) => known.name).join(', ')}`,
      )
    if (!canMake(target)) throw new Error(`${name} has to be signed: make it on a Mac`)
    return target
  })
}

/**
 * The executable of the client.
 * @param bundle the program as one file
 */
export const clientSea = (bundle: string, node: string, output: string): Sea => ({
  // Relative, so that builds in two folders are equal.
  main: basename(bundle),
  folder: dirname(bundle),
  node,
  output,
  // NODE_OPTIONS in the environment of the user is for other programs.
  execArgvExtension: 'none',
  // Threads need a script, and an executable is not one.
  assets: { 'svc.mjs': bundle },
})
