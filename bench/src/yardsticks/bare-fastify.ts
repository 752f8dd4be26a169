import path from 'node:path'
import { firstMatch, start } from '../child.ts'

const program = path.resolve(import.meta.dirname, 'bare-fastify-process.ts')

/** A server with one minimal JSON route, in a separate process. */
export async function startBareFastify(
  signal: AbortSignal,
): Promise<AsyncDisposable & { readonly url: string }> {
  const running = start(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await firstMatch(running, /^listens on (\S+)$/, signal)
    return { url, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() }
  } catch (error) {
    await running[Symbol.asyncDispose]()
    throw error
  }
}
