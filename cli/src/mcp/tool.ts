import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Commands } from '../program/command.ts'
import type { Program } from '../program/program.ts'
import { captureOutput, type CapturedOutput, type CaptureOptions } from './capture-output.ts'

/** The context in which the tools run their commands. */
export interface ToolContext {
  readonly commands: Commands
  readonly program: Program
  /** Arguments of every command that select the server and the user. */
  readonly serverLine: readonly string[]
}

/** A result for a model. */
export const toolResult = (value: unknown): CallToolResult => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }],
})

/** An error message for a model, so that it can react. */
export const toolError = (reason: string): CallToolResult => ({ ...toolResult(reason), isError: true })

/** Runs a command as a tool does. Paths and links come last, so that none of them becomes an option. */
export const runTool = (
  { commands, program, serverLine }: ToolContext,
  [name = '', ...options]: readonly string[],
  operands: readonly string[],
  capture: CaptureOptions,
): Promise<CapturedOutput> =>
  captureOutput(commands, program, [name, ...options, ...serverLine, '--', ...operands], capture)

/** The JSON output of a command with its warnings, or an error if there is no output. */
export function resultOf({ status, printed, stderr }: CapturedOutput, shape: (value: unknown) => unknown) {
  if (printed === '') return toolError(stderr === '' ? `it ended with status ${String(status)}` : stderr)
  const value = shape(JSON.parse(printed))
  if (status === 0) return toolResult(value)
  return {
    ...toolResult(value),
    content: [...toolResult(value).content, ...toolResult(stderr).content],
    isError: true,
  }
}
