import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy to a database whose connections can be cut. */
export interface CuttableDatabase {
  /** The address of the database behind this proxy. */
  readonly connectionString: string
  /**
   * Cuts all connections once, at a chunk that is sent to the database from now on. New connections are accepted.
   * @param count number of the chunk, from 1
   * @param moment whether the database gets the chunk first, so that only its response is lost
   */
  cutAt(count: number, moment: 'before' | 'after'): void
  /**
   * The database becomes unreachable from the first chunk on that contains a text; that chunk does not
   * arrive.
   */
  leaveOn(text: RegExp): void
  /**
   * The database becomes unreachable once it has committed the first transaction that sends a text; the
   * response is lost.
   */
  leaveAfterCommit(text: RegExp): void
  /** Cancels the plan, and forwards everything. @returns chunks that were sent since the plan */
  heal(): number
  /** Connections that ended, from either side. */
  tried(): number
  close(): Promise<void>
}

/** @param connectionString with a port */
export async function cuttableDatabase(connectionString: string): Promise<CuttableDatabase> {
  const target = new URL(connectionString)
  const sockets = new Set<Socket>()
  let cut: { readonly at: number; readonly moment: 'before' | 'after' } | null = null
  let leave: RegExp | null = null
  let leaveAfter: RegExp | null = null
  /** Connections that have sent the text of `leaveAfter`: others may commit something else meanwhile. */
  let committing = new WeakSet<Socket>()
  let removed = false
  let sent = 0
  let ended = 0

  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket)
          client.destroy()
          database.end()
        })
    }
    client.on('close', () => (ended += 1))
    if (removed) client.destroy()
    client.on('data', (chunk) => {
      sent += 1
      const text = chunk.toString('latin1')
      if (leave?.test(text) === true) removed = true
      if (leaveAfter?.test(text) === true) committing.add(client)
      if (committing.has(client) && text.includes('commit')) {
        removed = true
        database.removeAllListeners('data').once('data', cutAll)
        database.write(chunk)
        return
      }
      if (removed || (cut?.at === sent && cut.moment === 'before')) cutAll()
      else if (cut?.at === sent) {
        // The response shows that the database has executed it.
        database.removeAllListeners('data').once('data', cutAll)
        database.write(chunk)
      } else database.write(chunk)
    })
    database.on('data', (chunk) => client.write(chunk))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const way = new URL(connectionString)
  way.port = String((server.address() as AddressInfo).port)
  return {
    connectionString: way.href,
    cutAt(at, moment) {
      sent = 0
      cut = { at, moment }
    },
    leaveOn(text) {
      leave = text
    },
    leaveAfterCommit(text) {
      leaveAfter = text
    },
    heal() {
      cut = null
      leave = null
      leaveAfter = null
      committing = new WeakSet()
      removed = false
      return sent
    },
    tried: () => ended,
    async close() {
      cutAll()
      server.close()
      await once(server, 'close')
    },
  }
}
