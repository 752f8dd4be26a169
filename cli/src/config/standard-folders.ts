import { join } from 'node:path'
import type { Program } from '../program/program.ts'

type Surroundings = Pick<Program, 'environment' | 'home'>

/** A folder that a variable may name (XDG Base Directory Specification). */
const folder = ({ environment, home }: Surroundings, variable: string, usual: readonly string[]): string => {
  const named = environment[variable]
  return named === undefined || named === '' ? join(home, ...usual) : named
}

export const configPath = (program: Surroundings, name: string): string =>
  join(folder(program, 'XDG_CONFIG_HOME', ['.config']), 'svc', name)

/** The folder for state that is not configuration. */
export const statePath = (program: Surroundings, name: string): string =>
  join(folder(program, 'XDG_STATE_HOME', ['.local', 'state']), 'svc', name)
