import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { systemCode } from '../errors/error-message.ts'
import { Failure } from '../errors/failure.ts'

/**
 * The output of a program such as `xz`, which gets the bytes of a source as its input. Node lacks its compression.
 * @throws Failure if the program is not installed, or refuses the bytes; the errors of the source
 */
export async function* throughProgram(
  [program = '', ...args]: readonly string[],
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  try {
    await once(child, 'spawn')
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    throw new Failure(`the program ${program} is needed, and is not installed`)
  }
  const ended = once(child, 'close')
  // The program stops reading where it finds an error, which its status shows.
  const feeding = pipeline(source, child.stdin).catch((error: unknown) => {
    if (systemCode(error) === 'EPIPE') return
    child.kill()
    throw error
  })
  feeding.catch(() => undefined)
  try {
    yield* child.stdout as AsyncIterable<Buffer>
    await feeding
    const [status] = (await ended) as [number | null]
    if (status !== 0) throw new Failure(`${program} reports that the data is damaged`)
  } finally {
    child.kill()
  }
}
