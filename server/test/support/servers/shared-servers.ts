import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { inject } from 'vitest'
import type { Allocations, Reply, SharedKind } from '../../../../scripts/test-servers/shared.ts'

/** A connection to the process that runs the shared servers. */
interface Allocator {
  ask(kind: SharedKind): Promise<Reply>
  close(): void
}

let allocator: Promise<Allocator> | undefined

/**
 * Takes a part of a server that all test files of a run share: a new database, or a store for containers of the caller. The
 * database is deleted when the test file or its process has ended.
 */
export async function allocate<Kind extends SharedKind>(kind: Kind): Promise<Allocations[Kind]> {
  allocator ??= connectToAllocator()
  const reply = await (await allocator).ask(kind)
  if ('error' in reply) throw new Error(reply.error)
  return reply.allocated as Allocations[Kind]
}

/** Deletes the databases that the test file has taken; `after-file.ts` calls it. */
export async function releaseAllocations(): Promise<void> {
  const ended = allocator
  allocator = undefined
  ;(await ended)?.close()
}

async function connectToAllocator(): Promise<Allocator> {
  const socket = connect(inject('sharedServersPort'), '127.0.0.1')
  await once(socket, 'connect')
  // The process ends regardless of this connection.
  socket.unref()
  const waiting: ((reply: Reply) => void)[] = []
  socket
    .on('error', () => socket.destroy())
    .on('close', () => {
      for (const next of waiting.splice(0)) next({ error: 'the shared servers have ended' })
    })
  // Replies come in the order of the requests.
  createInterface(socket).on('line', (line) => waiting.shift()?.(JSON.parse(line) as Reply))
  return {
    ask: (kind) =>
      new Promise((resolve) => {
        waiting.push(resolve)
        socket.write(`${kind}\n`)
      }),
    close: () => socket.destroy(),
  }
}
