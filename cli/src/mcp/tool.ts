import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Commands } from '../command.ts'
import type { Program } from '../program.ts'
import { captured, type Captured, type CaptureOptions } from './captured.ts'

/** What the tools run their commands with. */
export interface Toolbox {
  readonly commands: Commands
  readonly program: Program
  /** Which server, as whom: arguments of every command. */
  readonly serverLine: readonly string[]
}

/** A value for a model to read. */
export const told = (value: unknown): CallToolResult => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }],
})

/** Words for a model about what went wrong, so that it can do something else. */
export const refused = (reason: string): CallToolResult => ({ ...told(reason), isError: true })

/** Runs a command as a tool does. Paths and links come last, so that none of them is taken for an option. */
export const runTool = (
  { commands, program, serverLine }: Toolbox,
  [name = '', ...options]: readonly string[],
  places: readonly string[],
  capture: CaptureOptions,
): Promise<Captured> =>
  captured(commands, program, [name, ...options, ...serverLine, '--', ...places], capture)

/** The JSON that a command answered, and what it complained of; a refusal where it did nothing. */
export function answerOf({ status, answer, complaints }: Captured, shape: (value: unknown) => unknown) {
  if (answer === '') return refused(complaints === '' ? `it ended with status ${String(status)}` : complaints)
  const value = shape(JSON.parse(answer))
  if (status === 0) return told(value)
  return { ...told(value), content: [...told(value).content, ...told(complaints).content], isError: true }
}
