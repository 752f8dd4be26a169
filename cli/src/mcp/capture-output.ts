import { Readable, Writable } from 'node:stream'
import { runCommand, type ArgsDef } from 'citty'
import { printable } from '@svc/terminal'
import { checkArguments } from '../arguments/check-arguments.ts'
import type { Commands } from '../program/command.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { errorMessage } from '../errors/error-message.ts'
import type { Program } from '../program/program.ts'
import { exitStatus } from '../errors/exit-status.ts'

/** The output of a command. */
export interface CapturedOutput {
  readonly status: number
  /** Lines of standard output. */
  readonly printed: string
  /** Bytes of standard output, where a command writes a file there. */
  readonly bytes: Buffer
  /** Lines of standard error. */
  readonly stderr: string
}

export interface CaptureOptions {
  readonly input?: string
  /** Bytes that standard output accepts; none by default. */
  readonly maxBytes?: number
  readonly signal: AbortSignal
  readonly onProgress?: Program['onProgress']
}

/** Stores the output up to a maximum. */
function collectingStream(maxBytes: number) {
  const chunks: Buffer[] = []
  let bytes = 0
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) {
        done(new Error(`it has more than the ${String(maxBytes)} bytes that are allowed`))
        return
      }
      chunks.push(chunk)
      done()
    },
  })
  // The writer receives the error.
  output.on('error', () => undefined)
  return { output, gathered: () => Buffer.concat(chunks) }
}

/** Runs a command of svc without a terminal: it asks no questions. */
export async function captureOutput(
  commands: Commands,
  program: Program,
  directory: string,
  [name = '', ...rest]: readonly string[],
  { input = '', maxBytes = 0, signal, onProgress }: CaptureOptions,
): Promise<CapturedOutput> {
  const printed: string[] = []
  const stderr: string[] = []
  let status: number = exitCodes.done
  const { output, gathered } = collectingStream(maxBytes)
  // Not spread: that would open the streams of the real process.
  const inside: Program = {
    environment: program.environment,
    directory,
    home: program.home,
    platform: program.platform,
    script: program.script,
    installed: program.installed,
    clock: program.clock,
    input: Readable.from([Buffer.from(input)], { objectMode: false }),
    output,
    errors: new Writable({
      write: (_chunk, _encoding, done) => {
        done()
      },
    }),
    interrupted: signal,
    discardsInterrupted: true,
    onProgress,
    print: (line) => printed.push(line),
    printToStderr: (line) => stderr.push(line),
    fail: (exitCode) => (status = exitCode),
  }
  try {
    const command = await commands[name]?.(inside)
    if (command === undefined) throw new RangeError(`unknown command ${name}`)
    checkArguments((command.args ?? {}) as ArgsDef, rest)
    await runCommand(command, { rawArgs: [...rest] })
  } catch (error) {
    stderr.push(printable(errorMessage(error)))
    status = exitStatus(error)
  }
  return { status, printed: printed.join('\n'), bytes: gathered(), stderr: stderr.join('\n') }
}
