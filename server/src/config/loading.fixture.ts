import type { Config } from './config.ts'
import { loadConfig } from './load.ts'
import { ConfigError, type Problem } from './sources/problems.ts'

/** The sources of a test's configuration, in the working directory `/work`. */
export interface TestSources {
  readonly file?: string
  readonly environment?: Readonly<Record<string, string>>
  /** Text files by their path. */
  readonly files?: Readonly<Record<string, string>>
  /** Whether the working directory belongs to another user, who allows no one else into it. */
  readonly isDirectoryClosed?: boolean
}

export function load({ file, environment = {}, files = {}, isDirectoryClosed = false }: TestSources): Config {
  return loadConfig({
    file,
    environment,
    directory: '/work',
    canEnter: (folder) => !(isDirectoryClosed && folder === '/work'),
    readFile: (path) => {
      if (isDirectoryClosed && path.startsWith('/work/'))
        throw Object.assign(new Error(`EACCES: ${path}`), { code: 'EACCES' })
      const content = files[path]
      if (content === undefined) throw Object.assign(new Error(`no such file ${path}`), { code: 'ENOENT' })
      return content
    },
  })
}

export const loadToml = (toml: string): Config => load({ files: { '/work/svcd.toml': toml } })

export function problemsOf(sources: TestSources): readonly Problem[] {
  try {
    load(sources)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

export const problemsOfToml = (toml: string): readonly Problem[] =>
  problemsOf({ files: { '/work/svcd.toml': toml } })
