import type { SubCommandsDef } from 'citty'
import type { Program } from './program.ts'

/** A command, whatever its arguments are: what runs it reads those from the command itself. */
export type AnyCommand = Exclude<SubCommandsDef[string], Promise<unknown> | ((...args: never) => unknown)>

type Load = (program: Program) => Promise<AnyCommand>

/** Every command, loaded when it is run. */
export const commands: Readonly<Record<string, Load>> = {
  upload: async (program) => (await import('./commands/upload.ts')).upload(program),
  get: async (program) => (await import('./commands/get.ts')).get(program),
  info: async (program) => (await import('./commands/info.ts')).info(program),
  rm: async (program) => (await import('./commands/rm.ts')).rm(program),
  ls: async (program) => (await import('./commands/ls.ts')).ls(program),
  open: async (program) => (await import('./commands/open.ts')).open(program),
  login: async (program) => (await import('./commands/login.ts')).login(program),
  logout: async (program) => (await import('./commands/logout.ts')).logout(program),
  whoami: async (program) => (await import('./commands/whoami.ts')).whoami(program),
  config: async (program) => (await import('./commands/config.ts')).config(program),
  completion: async (program) => (await import('./commands/completion.ts')).completion(program),
  man: async (program) => (await import('./commands/man.ts')).man(program),
}

export const defaultCommand = 'upload'
