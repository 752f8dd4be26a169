import type { Config } from './config.ts'
import { loadConfig } from './load.ts'
import { ConfigError } from './sources/problems.ts'

/** The value of a field with a configuration in TOML; `refused` if the configuration is invalid. */
export function valueOf<K extends keyof Config>(field: K, toml: string): Config[K] | 'refused' {
  const files = new Map([
    ['/svcd.toml', toml],
    ['/cert.pem', 'certificate'],
    ['/key.pem', 'key'],
  ])
  const readFile = (path: string): string => {
    const content = files.get(path)
    if (content === undefined) throw new Error('missing')
    return content
  }
  try {
    return loadConfig({ file: '/svcd.toml', environment: {}, directory: '/', readFile })[field]
  } catch (error) {
    if (error instanceof ConfigError && error.problems.length === 1) return 'refused'
    throw error
  }
}
