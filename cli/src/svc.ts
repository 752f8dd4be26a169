import type { SubCommandsDef } from 'citty'
import type { Program } from './program.ts'

/** A command, whatever its arguments are: what runs it reads those from the command itself. */
export type AnyCommand = Exclude<SubCommandsDef[string], Promise<unknown> | ((...args: never) => unknown)>

type Load = (program: Program) => Promise<AnyCommand>

/** Every command, loaded when it is run. */
export const commands: Readonly<Record<string, Load>> = {
  upload: async (program) => (await import('./commands/upload.ts')).upload(program),
  get: async (program) => (await import('./commands/get.ts')).get(program),
}

export const defaultCommand = 'upload'
