import type { Readable, Writable } from 'node:stream'

interface MaybeTerminal {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** The part of the process that the commands of both programs use. Only their `main.ts` accesses the real one. */
export interface CommandProcess {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The working directory. */
  readonly directory: string
  readonly input: Readable & MaybeTerminal
  /** Standard output. It has only the result of a command. */
  readonly output: Writable & MaybeTerminal
  /** Standard error. Prompts go there, too. */
  readonly errors: Writable & MaybeTerminal
  /** Prints a line of the result on standard output. */
  print(line: string): void
  /** Prints an error, or a message that is not part of the result, on standard error. */
  printToStderr(line: string): void
  /** Sets the exit status of the process. */
  fail(status: number): void
}

/** The running process with the properties of one program. Node opens a stream at its first use. */
export function withProcess<Own extends object>(own: Own): CommandProcess & Own {
  const shared: CommandProcess = {
    environment: process.env,
    directory: process.cwd(),
    get input() {
      return process.stdin
    },
    get output() {
      return process.stdout
    },
    get errors() {
      return process.stderr
    },
    print: (line) => {
      console.log(line)
    },
    printToStderr: (line) => {
      console.error(line)
    },
    fail: (status) => {
      process.exitCode = status
    },
  }
  // A spread would call the getters.
  return Object.defineProperties(shared, Object.getOwnPropertyDescriptors(own)) as CommandProcess & Own
}

/**
 * Continues when the reader of the output stops reading (`svc ls | head -1`), which is not an error.
 * @param failed called for any other error of standard output or standard error
 */
export function ignoreClosedOutput(failed: (error: Error) => void): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') failed(error)
    })
}

/** Whether an error is a bug of the program: then its stack trace is needed. */
export const isDefect = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
