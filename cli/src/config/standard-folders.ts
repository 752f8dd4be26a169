import { join } from 'node:path'
import type { Program } from '../program/program.ts'

type Environment = Pick<Program, 'environment' | 'home'>

/** A folder that a variable may name (XDG Base Directory Specification). */
const folder = ({ environment, home }: Environment, variable: string, usual: readonly string[]): string => {
  const named = environment[variable]
  return named === undefined || named === '' ? join(home, ...usual) : named
}

/** The path of a file of configuration: `$XDG_CONFIG_HOME/svc/NAME`. */
export const configPath = (program: Environment, name: string): string =>
  join(folder(program, 'XDG_CONFIG_HOME', ['.config']), 'svc', name)

/** The path of a file of state, which is not configuration: `$XDG_STATE_HOME/svc/NAME`. */
export const statePath = (program: Environment, name: string): string =>
  join(folder(program, 'XDG_STATE_HOME', ['.local', 'state']), 'svc', name)
