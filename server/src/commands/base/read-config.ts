import { accessSync, constants, readFileSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { loadConfig, type ConfigSources } from '../../config/load.ts'
import type { Program } from './program.ts'

/** The option that every command with a configuration takes. */
export const configArgument = {
  config: { type: 'string', description: 'Configuration file (TOML)', valueHint: 'FILE' },
} as const

function canEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** @param file the file that `--config` names */
export const configSources = (
  { environment, directory }: Program,
  file: string | undefined,
): ConfigSources => ({
  file,
  environment,
  directory,
  readFile: (path) => readFileSync(path, 'utf8'),
  canEnter,
})

/** @throws ConfigError with every problem of the configuration */
export const readConfig = (program: Program, file: string | undefined): Config =>
  loadConfig(configSources(program, file))
