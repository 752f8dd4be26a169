import { PassThrough } from 'node:stream'
import type { Program } from '../program/program.ts'

/** A program for describing the commands, which runs none of them. */
export function idleProgram(): Program {
  const never = () => {
    throw new TypeError('a description runs nothing')
  }
  const streams = { input: new PassThrough(), output: new PassThrough(), errors: new PassThrough() }
  return {
    ...streams,
    environment: {},
    directory: '/',
    home: '/',
    platform: 'linux',
    script: '',
    installed: { kind: 'bundle', path: '' },
    clock: { now: never, sleep: never },
    interrupted: new AbortController().signal,
    print: never,
    printToStderr: never,
    fail: never,
  }
}
