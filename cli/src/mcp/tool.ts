import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Commands } from '../core/command.ts'
import type { Program } from '../core/program.ts'
import { captureOutput, type CapturedOutput, type CaptureOptions } from './capture-output.ts'

/** What the tools run their commands with. */
export interface ToolContext {
  readonly commands: Commands
  readonly program: Program
  /** Which server, as whom: arguments of every command. */
  readonly serverLine: readonly string[]
}

/** A value for a model to read. */
export const toolResult = (value: unknown): CallToolResult => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }],
})

/** Words for a model about what went wrong, so that it can do something else. */
export const toolError = (reason: string): CallToolResult => ({ ...toolResult(reason), isError: true })

/** Runs a command as a tool does. Paths and links come last, so that none of them is taken for an option. */
export const runTool = (
  { commands, program, serverLine }: ToolContext,
  [name = '', ...options]: readonly string[],
  places: readonly string[],
  capture: CaptureOptions,
): Promise<CapturedOutput> =>
  captureOutput(commands, program, [name, ...options, ...serverLine, '--', ...places], capture)

/** The JSON output of a command with its complaints, or a refusal without output. */
export function resultOf(
  { status, printed, complaints }: CapturedOutput,
  shape: (value: unknown) => unknown,
) {
  if (printed === '')
    return toolError(complaints === '' ? `it ended with status ${String(status)}` : complaints)
  const value = shape(JSON.parse(printed))
  if (status === 0) return toolResult(value)
  return {
    ...toolResult(value),
    content: [...toolResult(value).content, ...toolResult(complaints).content],
    isError: true,
  }
}
