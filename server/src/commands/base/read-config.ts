import { readFileSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { loadConfig } from '../../config/load.ts'
import type { Program } from './program.ts'

/** The option that every command with a configuration takes. */
export const configArgument = {
  config: { type: 'string', description: 'Configuration file (TOML)', valueHint: 'FILE' },
} as const

/** @throws ConfigError with every problem of the configuration */
export function readConfig({ environment, directory }: Program, file: string | undefined): Config {
  return loadConfig({ file, environment, directory, readFile: (path) => readFileSync(path, 'utf8') })
}
