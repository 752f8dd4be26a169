import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { until } from '../until.ts'

export interface Curl {
  /** Its standard input. */
  readonly input: Writable
  /** Its output so far. */
  output(): string
  /** Waits for its first line. */
  line(): Promise<string>
  /** Resolves when it has ended, by itself or not. */
  readonly ended: Promise<{
    readonly status: number | null
    readonly output: string
    readonly stderr: string
  }>
  kill(): void
}

/** A real curl, which prints received bytes at once. It ends with the test. */
export function curl(args: readonly string[]): Curl {
  const child = spawn('curl', ['-q', '-sS', '-N', '--noproxy', '*', ...args])
  const isUp = () => child.exitCode === null && child.signalCode === null
  const chunks: Buffer[] = []
  const output = () => Buffer.concat(chunks).toString('latin1')
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const stderr = text(child.stderr)
  const ended = once(child, 'close').then(async ([status]) => ({
    status: status as number | null,
    output: output(),
    stderr: await stderr,
  }))
  // A curl that ends early reads no more.
  child.stdin.on('error', () => undefined)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    input: child.stdin,
    output,
    async line() {
      await until('curl prints a line', () => output().includes('\n') || !isUp())
      return output().split('\n')[0] ?? ''
    },
    ended,
    kill: () => child.kill('SIGKILL'),
  }
}
