import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { printable } from '@svc/terminal'
import { errorMessage } from '../errors/error-message.ts'
import type { Confinement } from './confinement.ts'
import type { Commands } from '../program/command.ts'
import type { Program } from '../program/program.ts'
import { runCaptured, type CapturedOutput, type CaptureOptions } from './run-captured.ts'

/** The context in which the tools run their commands. */
export interface ToolContext {
  readonly commands: Commands
  readonly program: Program
  /** Options of every command, which select the server and the user. */
  readonly serverOptions: readonly string[]
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

/** An error as a result, so that the model can react to it. */
export const toolError = (reason: string): CallToolResult => ({ content: textContent(reason), isError: true })

/** Runs a command for a tool. Paths and links come last, after `--`, so that none of them becomes an option. */
export const runToolCommand = (
  { commands, program, serverOptions, confinement }: ToolContext,
  [name = '', ...options]: readonly string[],
  operands: readonly string[],
  capture: CaptureOptions,
): Promise<CapturedOutput> =>
  runCaptured(
    commands,
    program,
    confinement.folder,
    [name, ...options, ...serverOptions, '--', ...operands],
    capture,
  )

interface ResultFormat {
  /** Converts the JSON output of the command to an object. */
  readonly toObject: (value: unknown) => Readonly<Record<string, unknown>>
  /** The fields of the result. Others are removed. */
  readonly schema: { readonly parse: (value: unknown) => Readonly<Record<string, unknown>> }
}

/** The result of a tool from the JSON output of its command. A failed command adds its messages; one without output is an error. */
export function commandResult(
  { status, stdout, stderr }: CapturedOutput,
  { toObject, schema }: ResultFormat,
): CallToolResult {
  if (stdout === '') return toolError(stderr === '' ? `it ended with status ${String(status)}` : stderr)
  const value = toObject(JSON.parse(stdout))
  if (status === 0) return toolResult(schema.parse(value))
  const { content } = toolResult(value)
  return { content: [...content, ...textContent(stderr)], isError: true }
}

/** Runs a tool, and turns an error into a result for the model. */
export async function withErrorResult(run: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await run()
  } catch (error) {
    return toolError(printable(errorMessage(error)))
  }
}
