/** A system that npm ships the pinned Node for, and what its executable is made from. */
export interface Target {
  /** Folder below `clients/`: `linux-x64`, `windows-x64`. */
  readonly name: string
  /** npm package with its Node, and the path of that in it. */
  readonly package: string
  readonly node: string
  /** Path of the executable below `clients/`. */
  readonly file: string
  /** Apple's systems run only what is signed, which takes a program of theirs. */
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
      package: name,
      node: `bin/node${ending}`,
      file: `${folder}/svc${ending}`,
      signed: system.startsWith('darwin-'),
    }
  })
}

/**
 * Which executables are made: those that were asked for, or all that this system can make.
 * @param asked names of targets; none for all
 * @throws Error where one is unknown, or cannot be made here
 */
export function chosen(
  targets: readonly Target[],
  asked: readonly string[],
  host: NodeJS.Platform,
): readonly Target[] {
  const canMake = ({ signed }: Target) => !signed || host === 'darwin'
  if (asked.length === 0) return targets.filter(canMake)
  return asked.map((name) => {
    const target = targets.find((one) => one.name === name)
    if (target === undefined)
      throw new Error(`there is no target ${name}; there are ${targets.map((one) => one.name).join(', ')}`)
    if (!canMake(target)) throw new Error(`${name} has to be signed: make it on a Mac`)
    return target
  })
}

/** What `node --build-sea` is told. @param bundle the program as one file */
export const seaConfig = (bundle: string, node: string, output: string) => ({
  main: bundle,
  mainFormat: 'module',
  executable: node,
  output,
  disableExperimentalSEAWarning: true,
  // NODE_OPTIONS of whoever runs it are meant for another program.
  execArgvExtension: 'none',
  // For threads: an executable is no script that one of them could run.
  assets: { 'svc.mjs': bundle },
})
