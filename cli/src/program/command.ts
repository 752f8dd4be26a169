import type { SubCommandsDef } from 'citty'
import type { Program } from './program.ts'

/** A command with any arguments: the runner reads them from the command itself. */
export type AnyCommand = Exclude<SubCommandsDef[string], Promise<unknown> | ((...args: never) => unknown)>

/** Commands by their names, loaded when they are run or described. */
export type Commands = Readonly<Record<string, (program: Program) => Promise<AnyCommand>>>

/** The command that runs when the command line names none. */
export const defaultCommand = 'upload'
