import { PassThrough } from 'node:stream'
import { run } from '../../src/commands/run.ts'
import type { Clock } from '../../src/domain/clock.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'

export interface Outcome {
  readonly status: number
  readonly output: string
  readonly stderr: string
}

export interface CommandLineOptions {
  readonly clock?: Clock
  /** Variables besides those that keep a command quiet. */
  readonly environment?: Readonly<Record<string, string>>
  /** What comes from standard input, which is not a terminal. */
  readonly input?: string | Uint8Array
  /** What a person at a terminal types at each prompt; null closes the input there. */
  readonly typed?: readonly (string | null)[]
}

/** A command ends the process. */
class Exit extends Error {
  readonly status: number
  constructor(status: number) {
    super(`exit ${String(status)}`)
    this.status = status
  }
}

/** Runs a command of the server in this process, on the data of a directory that has a configuration file. */
export async function svcd(
  directory: string,
  args: readonly string[],
  { clock = manualClock(), environment = {}, input, typed }: CommandLineOptions = {},
): Promise<Outcome> {
  const output = collector()
  const prompts = collector()
  const stderr: string[] = []
  const standardInput = Object.assign(new PassThrough(), { isTTY: typed !== undefined })
  if (typed === undefined) standardInput.end(input ?? '')
  else typeAtPrompts(standardInput, prompts.stream, typed)
  let status = 0
  try {
    await run(
      {
        environment: { SVCD_LOG_LEVEL: 'silent', SVCD_MIN_FREE_SPACE_STR: '0', ...environment },
        directory,
        clock,
        input: standardInput,
        output: output.stream,
        errors: prompts.stream,
        print: (line) => void output.stream.write(`${line}\n`),
        printToStderr: (line) => stderr.push(line),
        fail: (exitStatus) => {
          status = exitStatus
        },
        onStopSignal: () => undefined,
        onUnhandledRejection: () => undefined,
        exit: (exitStatus) => {
          throw new Exit(exitStatus)
        },
      },
      args,
    )
  } catch (error) {
    if (!(error instanceof Exit)) throw error
    status = error.status
  }
  return { status, output: output.text(), stderr: prompts.text() + stderr.join('\n') }
}

/** What a command that is done prints as JSON. */
export async function json(
  directory: string,
  args: readonly string[],
  options?: CommandLineOptions,
): Promise<unknown> {
  const { status, output, stderr } = await svcd(directory, [...args, '--json'], options)
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(output)
}

function collector() {
  const stream = new PassThrough({ encoding: 'utf8' })
  let text = ''
  stream.on('data', (chunk: string) => (text += chunk))
  return { stream, text: () => text + ((stream.read() as string | null) ?? '') }
}

/** Each prompt gets one reply; it may arrive in several chunks, between terminal codes. */
function typeAtPrompts(input: PassThrough, prompts: PassThrough, typed: readonly (string | null)[]): void {
  const left = [...typed]
  let shown = ''
  prompts.on('data', (chunk: string) => {
    shown += chunk
    if (!/(?:Password:|Repeat the password:|\[y\/N\]) /.test(shown)) return
    shown = ''
    const next = left.shift()
    // A person sees the question before typing; null is the end of the input, as control and D make it.
    setImmediate(() => input.write(next === null ? '\x04' : `${next ?? ''}\r`))
  })
}
