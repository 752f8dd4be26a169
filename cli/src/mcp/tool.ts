import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { printable } from '@svc/terminal'
import { errorMessage } from '../errors/error-message.ts'
import type { Confinement } from './confinement.ts'
import type { Commands } from '../program/command.ts'
import type { Program } from '../program/program.ts'
import { captureOutput, type CapturedOutput, type CaptureOptions } from './capture-output.ts'

/** The context in which the tools run their commands. */
export interface ToolContext {
  readonly commands: Commands
  readonly program: Program
  /** Arguments of every command that select the server and the user. */
  readonly serverLine: readonly string[]
  readonly confinement: Confinement
  /** Whether downloads may replace files. */
  readonly mayOverwrite: boolean
}

/** A result for a model. */
export const toolResult = (value: Readonly<Record<string, unknown>>): CallToolResult => ({
  content: textContent(JSON.stringify(value, null, 2)),
  structuredContent: value,
})

export const textContent = (text: string): CallToolResult['content'] => [{ type: 'text', text }]

/** An error message for a model, so that it can react. */
export const toolError = (reason: string): CallToolResult => ({ content: textContent(reason), isError: true })

/** Runs a command as a tool does. Paths and links come last, so that none of them becomes an option. */
export const runTool = (
  { commands, program, serverLine, confinement }: ToolContext,
  [name = '', ...options]: readonly string[],
  operands: readonly string[],
  capture: CaptureOptions,
): Promise<CapturedOutput> =>
  captureOutput(
    commands,
    program,
    confinement.folder,
    [name, ...options, ...serverLine, '--', ...operands],
    capture,
  )

interface ResultShape {
  /** The JSON output of the command as an object. */
  readonly shape: (value: unknown) => Readonly<Record<string, unknown>>
  /** The described fields of the result. Others are left out. */
  readonly schema: { readonly parse: (value: unknown) => Readonly<Record<string, unknown>> }
}

/** The JSON output of a command with its warnings, or an error if there is no output. */
export function resultOf(
  { status, printed, stderr }: CapturedOutput,
  { shape, schema }: ResultShape,
): CallToolResult {
  if (printed === '') return toolError(stderr === '' ? `it ended with status ${String(status)}` : stderr)
  const value = shape(JSON.parse(printed))
  if (status === 0) return toolResult(schema.parse(value))
  const { content } = toolResult(value)
  return { content: [...content, ...textContent(stderr)], isError: true }
}

/** Runs a tool. An error becomes a message for the model. */
export async function orToolError(run: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await run()
  } catch (error) {
    return toolError(printable(errorMessage(error)))
  }
}
