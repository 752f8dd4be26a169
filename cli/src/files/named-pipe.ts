import { closeSync, constants, createReadStream, openSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { addAbortSignal, Readable } from 'node:stream'
import type { Location } from './item.ts'

/**
 * The bytes of a named pipe. It ends once all writers have closed it. The stream has the error if it cannot be opened.
 *
 * A stream of `node:fs` waits for a writer, and for bytes, on a thread of Node's pool. The process would not end before
 * that thread, and clean-up would wait as soon as there are as many pipes as threads.
 */
export function readNamedPipe(location: Location): Readable {
  // Others may report the end of a pipe that no writer has opened yet.
  if (process.platform !== 'linux') return createReadStream(location)
  try {
    // Without O_NONBLOCK, opening waits for a writer.
    return socketOf(openSync(location, constants.O_RDONLY | constants.O_NONBLOCK))
  } catch (error) {
    return new Readable({
      read() {
        this.destroy(error instanceof Error ? error : new Error(String(error)))
      },
    })
  }
}

/** @throws TypeError when the descriptor is not a pipe: the path has another file now */
function socketOf(descriptor: number): Socket {
  try {
    return new Socket({ fd: descriptor, writable: false })
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/**
 * Reads a file, or a named pipe such as that of `<(command)` in a shell.
 * @throws errors of the system, the signal's reason
 */
export async function readFileOrPipe(path: string, signal: AbortSignal): Promise<Buffer> {
  if (!(await stat(path)).isFIFO()) return readFile(path, { signal })
  const chunks: Buffer[] = []
  for await (const chunk of addAbortSignal(signal, readNamedPipe(path)) as AsyncIterable<Buffer>)
    chunks.push(chunk)
  return Buffer.concat(chunks)
}
