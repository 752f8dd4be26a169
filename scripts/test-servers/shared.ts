import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { startDatabaseServer } from './databases/database-server.ts'
import type { DatabaseKind } from './kinds.ts'
import type { S3Account, SwiftLogin } from './stores/object-store.ts'
import { startSwift } from './stores/swift.ts'

/** An object store that several test files use at the same time, in different containers. */
export type SharedStore = S3Account & SwiftLogin

/** What a client gets: the address of a new empty database, or a store. */
export interface Allocations extends Readonly<Record<DatabaseKind, string>> {
  readonly swift: SharedStore
}

export type SharedKind = keyof Allocations

export type Reply = { readonly allocated: Allocations[SharedKind] } | { readonly error: string }

interface SharedServer {
  allocate(): Promise<{
    readonly allocated: Allocations[SharedKind]
    /** Deletes it. */
    readonly release?: () => Promise<void>
  }>
  remove(): Promise<void>
}

export interface SharedServers {
  /** The port of 127.0.0.1 for the requests of clients. */
  readonly port: number
  /** Ends all servers, and deletes their data. */
  readonly close: () => Promise<void>
}

/**
 * Starts each kind of server when the first client needs it. A client connects, and writes a kind in a line; it gets a reply
 * in a line of JSON. Its databases are deleted when its connection has ended.
 */
export async function shareServers(): Promise<SharedServers> {
  const servers = new Map<SharedKind, Promise<SharedServer>>()
  const get = (kind: SharedKind) => {
    const server = servers.get(kind) ?? start(kind)
    servers.set(kind, server)
    return server
  }
  const clients = new Set<Socket>()
  const listener = createServer((client) => {
    clients.add(client)
    client.on('error', () => client.destroy()).on('close', () => clients.delete(client))
    void serve(client, get)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    async close() {
      listener.close()
      for (const client of clients) client.destroy()
      const started = await Promise.allSettled(servers.values())
      for (const result of started) if (result.status === 'fulfilled') await result.value.remove()
    },
  }
}

/** Handles the requests of one client, never throws. */
async function serve(client: Socket, get: (kind: SharedKind) => Promise<SharedServer>): Promise<void> {
  const releases: (() => Promise<void>)[] = []
  try {
    for await (const kind of createInterface(client)) {
      const reply: Reply = await allocate(kind as SharedKind).catch((error: unknown) => ({
        error: String(error),
      }))
      client.write(`${JSON.stringify(reply)}\n`)
    }
  } catch {
    // The client was cut.
  }
  // The server may have been removed meanwhile, with all databases.
  for (const release of releases) await release().catch(() => undefined)

  async function allocate(kind: SharedKind): Promise<Reply> {
    const server = await get(kind)
    const { allocated, release } = await server.allocate()
    if (release !== undefined) releases.push(release)
    return { allocated }
  }
}

async function start(kind: SharedKind): Promise<SharedServer> {
  switch (kind) {
    case 'postgres':
    case 'mysql': {
      const server = await startDatabaseServer(kind, { isInMemory: true })
      return {
        async allocate() {
          const address = await server.create()
          return { allocated: address, release: () => server.drop(address) }
        },
        remove: () => server.remove(),
      }
    }
    case 'swift': {
      const server = await startSwift()
      return { allocate: () => Promise.resolve({ allocated: server }), remove: () => server.remove() }
    }
  }
}
