import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A message that a mail server received. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Whether the connection was encrypted. */
  readonly isSecure: boolean
  readonly user: unknown
  /** Unfolded header lines. */
  readonly headers: ReadonlyMap<string, string>
  /** The decoded parts, by their media types. */
  readonly parts: ReadonlyMap<string, string>
}

export interface MailServer {
  readonly port: number
  readonly mails: ReceivedMail[]
  readonly close: () => Promise<void>
}

/** A real mail server on a free port. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    onData: (stream, session, callback) => {
      text(stream).then(
        (source) => {
          mails.push({
            from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
            to: session.envelope.rcptTo.map(({ address }) => address),
            isSecure: session.secure,
            user: session.user,
            ...parse(source),
          })
          callback()
        },
        (error: unknown) => {
          callback(error as Error)
        },
      )
    },
    ...options,
  })
  // Clients that break off are the subject of tests.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
      }),
  }
}

function parse(source: string): Pick<ReceivedMail, 'headers' | 'parts'> {
  const { headers, body } = split(source)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? ''
  const parts = body.split(`--${boundary}`).slice(1, -1)
  return {
    headers,
    parts: new Map(
      parts.map((part) => {
        const { headers: partHeaders, body: content } = split(part.replace(/^\r?\n/, ''))
        const type = partHeaders.get('content-type')?.split(';', 1)[0] ?? ''
        return [type, decoded(content, partHeaders.get('content-transfer-encoding') ?? '')]
      }),
    ),
  }
}

function split(source: string) {
  const end = source.indexOf('\r\n\r\n')
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  return { headers, body: source.slice(end + 4) }
}

function decoded(content: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString()
  if (encoding !== 'quoted-printable') return content
  const bytes = content
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
