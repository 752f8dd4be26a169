import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

export interface MailServer {
  readonly port: number
  /** The next message, with its headers, as it was sent. */
  readonly next: () => Promise<string>
  readonly close: () => void
}

/** Accepts every message (RFC 5321), for tests that read what the server sends. */
export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = []
  let arrived = Promise.withResolvers<undefined>()
  const server = createServer((socket) => {
    const reply = (line: string) => socket.write(`${line}\r\n`)
    let data: string[] | undefined
    reply('220 mail.test ESMTP')
    createInterface({ input: socket }).on('line', (line) => {
      if (data === undefined) {
        const command = line.slice(0, 4).toUpperCase()
        if (command === 'DATA') data = []
        reply(command === 'DATA' ? '354 send it' : command === 'QUIT' ? '221 bye' : '250 ok')
      } else if (line === '.') {
        mails.push(data.join('\n'))
        data = undefined
        reply('250 ok')
        arrived.resolve(undefined)
      } else data.push(line)
    })
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    next: async () => {
      while (mails.length === 0) {
        await arrived.promise
        arrived = Promise.withResolvers()
      }
      return mails.shift() ?? ''
    },
    close: () => server.close(),
  }
}
