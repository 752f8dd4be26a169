import { Readable, Writable } from 'node:stream'
import { runCommand, type ArgsDef } from 'citty'
import { printable } from '@svc/terminal'
import { checkArguments } from '../arguments/check-arguments.ts'
import type { Commands } from '../program/command.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { errorMessage } from '../errors/error-message.ts'
import type { Program } from '../program/program.ts'
import { exitStatus } from '../errors/exit-status.ts'

/** The output and the exit status of a command. */
export interface CapturedOutput {
  readonly status: number
  /** Lines of standard output. */
  readonly stdout: string
  /** A file that the command writes to standard output. */
  readonly stdoutFile: Buffer
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

/** A stream that keeps its content, up to a maximum. */
function createBufferedOutput(maxBytes: number) {
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
  return { output, content: () => Buffer.concat(chunks) }
}

/** Runs a command of svc without a terminal, so that it asks no questions, and returns its output. */
export async function runCaptured(
  commands: Commands,
  program: Program,
  directory: string,
  [name = '', ...rawArgs]: readonly string[],
  { input = '', maxBytes = 0, signal, onProgress }: CaptureOptions,
): Promise<CapturedOutput> {
  const stdoutLines: string[] = []
  const stderrLines: string[] = []
  let status: number = exitCodes.done
  const { output, content } = createBufferedOutput(maxBytes)
  // Not spread: that would open the streams of the real process.
  const capturedProgram: Program = {
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
    print: (line) => stdoutLines.push(line),
    printToStderr: (line) => stderrLines.push(line),
    fail: (exitCode) => (status = exitCode),
  }
  try {
    const command = await commands[name]?.(capturedProgram)
    if (command === undefined) throw new RangeError(`unknown command ${name}`)
    checkArguments((command.args ?? {}) as ArgsDef, rawArgs)
    await runCommand(command, { rawArgs: [...rawArgs] })
  } catch (error) {
    stderrLines.push(printable(errorMessage(error)))
    status = exitStatus(error)
  }
  return { status, stdout: stdoutLines.join('\n'), stdoutFile: content(), stderr: stderrLines.join('\n') }
}
