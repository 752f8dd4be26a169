import { defineCommand } from 'citty'
import { version } from '../core/describe-version.ts'
import { clean } from './clean.ts'
import type { Program } from './program.ts'
import { serve } from './serve.ts'

/** The command line of the server. */
export const svcd = (program: Program) =>
  defineCommand({
    meta: { name: 'svcd', version, description: 'Temporary file uploads: the server and its admin commands' },
    subCommands: { serve: serve(program), clean: clean(program) },
  })
