import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  readonly port: number
  /** The first message, with its headers, as it was sent. */
  readonly first: Promise<string>
  readonly close: () => void
}

/** A real mail server on a free port, which accepts every message. */
export async function startMailServer(): Promise<MailServer> {
  const first = Promise.withResolvers<string>()
  const server = new SMTPServer({
    authOptional: true,
    onData: (stream, _session, callback) => {
      text(stream).then((mail) => {
        first.resolve(mail)
        callback()
      }, callback)
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    first: first.promise,
    close: () => {
      server.close()
    },
  }
}
