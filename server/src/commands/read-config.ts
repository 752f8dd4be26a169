import { readFileSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { loadConfig } from '../config/load.ts'
import { ConfigError } from '../config/problems.ts'
import type { Program } from './program.ts'

/** The option that every command with a configuration takes. */
export const configArgument = {
  config: { type: 'string', description: 'Configuration file (TOML)', valueHint: 'FILE' },
} as const

/** Reads the configuration, or tells all that is wrong with it and ends the process with status 2. */
export function readConfig(program: Program, file: string | undefined): Config {
  const { environment, directory } = program
  try {
    return loadConfig({ file, environment, directory, readFile: (path) => readFileSync(path, 'utf8') })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    program.complain(error.message)
    return program.exit(2)
  }
}
