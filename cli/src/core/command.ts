import type { SubCommandsDef } from 'citty'
import type { Program } from './program.ts'

/** A command, whatever its arguments are: what runs it reads those from the command itself. */
export type AnyCommand = Exclude<SubCommandsDef[string], Promise<unknown> | ((...args: never) => unknown)>

/** Commands by their names, loaded when they are run or told of. */
export type Commands = Readonly<Record<string, (program: Program) => Promise<AnyCommand>>>

/** What a line without the name of a command is for. */
export const defaultCommand = 'upload'
