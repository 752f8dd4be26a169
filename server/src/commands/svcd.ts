import type { CommandDef } from 'citty'
import { version } from '../core/status/describe-version.ts'
import type { Program } from './base/program.ts'
import type { CommandName } from './base/descriptions.ts'
import { serve } from './serve.ts'

/** The command line of the server. Admin commands load only when they run. */
export function svcd(program: Program): CommandDef {
  const command: CommandDef = {
    meta: { name: 'svcd', version, description: 'Temporary file uploads: the server and its admin commands' },
    subCommands: {
      serve: serve(program),
      clean: async () => (await import('./clean.ts')).clean(program),
      verify: async () => (await import('./verify.ts')).verify(program),
      check: async () => (await import('./check.ts')).check(program),
      user: async () => (await import('./user/user.ts')).user(program),
      token: async () => (await import('./token/token.ts')).token(program),
      upload: async () => (await import('./upload/upload.ts')).upload(program),
      stats: async () => (await import('./stats.ts')).stats(program),
      export: async () => (await import('./export.ts')).exportCommand(program),
      import: async () => (await import('./import/import.ts')).importCommand(program),
      man: async () => (await import('./man.ts')).man(program, command),
    } satisfies Readonly<Record<CommandName, unknown>>,
  }
  return command
}
