import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { MailConfig } from '../../src/config/notification-config.ts'
import { mailConnections, mailer } from '../../src/outgoing/mailer.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { startMailServer, type MailServer } from '../support/notifications/mail-server.ts'
import { selfSigned } from '../support/servers/self-signed.ts'
import { until } from '../support/until.ts'

let certificate: { readonly key: string; readonly cert: string }
beforeAll(async () => {
  const directory = await temporaryDirectory()
  certificate = selfSigned(directory, { name: 'mail', holder: 'DNS:localhost', days: 1 })
})

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function start(options: SMTPServerOptions = {}): Promise<MailServer> {
  const { key, cert } = certificate
  const server = await startMailServer({ key: readFileSync(key), cert: readFileSync(cert), ...options })
  open.push(server.close)
  return server
}

function sender(server: string, changes: Partial<MailConfig> = {}, timeoutMs?: number) {
  const config = {
    server,
    tls: 'required',
    ca: certificate.cert,
    from: 'svc@svc.example',
    ...changes,
  } as const
  const made = mailer(config, timeoutMs)
  open.push(made.close)
  return made
}

const mail = { id: 'a1', to: 'ada@mail.example', subject: 'é', text: 't', html: '<p>t</p>', language: 'en' }

const local = ({ port }: Pick<MailServer, 'port'>, login = '') => `smtp://${login}localhost:${String(port)}`

test('a message is sent with STARTTLS and a login', async () => {
  const server = await start({
    authOptional: false,
    onAuth: ({ username, password }, _session, callback) => {
      if (username === 'a@b' && password === 'p:w') callback(null, { user: username })
      else callback(new Error('wrong'))
    },
  })
  expect(await sender(local(server, 'a%40b:p%3Aw@')).send(mail)).toMatchObject({
    isDelivered: true,
    error: null,
  })
  const [received] = server.mails
  expect([received?.isSecure, received?.user, received?.to]).toEqual([true, 'a@b', ['ada@mail.example']])
  expect(received?.headers.get('message-id')).toBe('<a1@svc.example>')
  expect(await sender(local(server, 'a%40b:wrong@')).send(mail)).toMatchObject({
    isDelivered: false,
    isFinal: false,
    error: 'the mail server could not be used',
  })
})

test('a message is sent with TLS from the beginning', async () => {
  const server = await start({ secure: true })
  const { send, verify } = sender(`smtps://localhost:${String(server.port)}`)
  await verify()
  expect(await send(mail)).toMatchObject({ isDelivered: true })
})

test('without TLS, or with a certificate that is not trusted, nothing is sent', async () => {
  const plain = await start({ disabledCommands: ['STARTTLS'] })
  const secure = await start()
  for (const mailSender of [sender(local(plain)), sender(local(secure), { ca: '' })]) {
    await expect(mailSender.verify()).rejects.toThrow()
    expect(await mailSender.send(mail)).toMatchObject({ isDelivered: false, isFinal: false })
  }
  expect([...plain.mails, ...secure.mails]).toEqual([])
})

test.each([
  [550, true, 'the mail server refused the message'],
  [451, false, 'the mail server could not be used'],
])('a recipient that is refused with %i is final: %s', async (responseCode, isFinal, error) => {
  const server = await start({
    onRcptTo: (_address, _session, callback) => {
      callback(Object.assign(new Error('no such person\r\nBcc: x'), { responseCode }))
    },
  })
  expect(await sender(local(server)).send(mail)).toEqual({
    isDelivered: false,
    isFinal,
    status: responseCode,
    error,
    isTimeout: false,
  })
})

test('a server that is unavailable, hangs or speaks another protocol is tried again', async () => {
  const hanging = createServer((socket) => socket.on('error', () => undefined))
  const other = createServer((socket) => socket.on('error', () => undefined).end('HTTP/1.1 400\r\n\r\n'))
  for (const server of [hanging, other]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    open.push(() => server.close())
  }
  const portOf = (server: typeof hanging) => (server.address() as { readonly port: number }).port
  const outcomes = await Promise.all([
    sender('smtp://127.0.0.1:1').send(mail),
    sender(`smtp://127.0.0.1:${String(portOf(hanging))}`, {}, 50).send(mail),
    sender(`smtp://127.0.0.1:${String(portOf(other))}`).send(mail),
  ])
  expect(outcomes.map(({ isDelivered, isFinal, isTimeout }) => [isDelivered, isFinal, isTimeout])).toEqual([
    [false, false, false],
    [false, false, true],
    [false, false, false],
  ])
})

test('a message that a server does not accept in time is not sent later', async () => {
  const connections: string[] = []
  let closed = 0
  const server = await start({
    onConnect: ({ id }, callback) => {
      connections.push(id)
      // The first connections never get a greeting.
      if (connections.length > mailConnections) callback()
    },
    onClose: () => {
      closed += 1
    },
  })
  const { send } = sender(local(server), {}, 400)
  const ids = Array.from({ length: 3 * mailConnections }, (_, index) => `m${String(index)}`)
  const outcomes = await Promise.all(ids.map((id) => send({ ...mail, id })))
  expect(outcomes.map(({ isDelivered, isTimeout }) => [isDelivered, isTimeout])).toEqual(
    ids.map(() => [false, true]),
  )
  await until('the connections are closed', () => closed >= connections.length)
  expect(await send({ ...mail, id: 'last' })).toMatchObject({ isDelivered: true })
  expect(server.mails.map(({ headers }) => headers.get('message-id'))).toEqual(['<last@svc.example>'])
})

test('no text of a message becomes a header or a recipient', async () => {
  const server = await start()
  const evil = 'x\r\nBcc: victim@mail.example\r\n\r\nbody'
  await sender(local(server)).send({
    ...mail,
    subject: evil,
    id: 'a\r\nx: y',
    language: 'en\r\nBcc: v@x.example',
  })
  for (const { headers, to } of server.mails) {
    expect([headers.has('bcc'), headers.has('x'), to]).toEqual([false, false, ['ada@mail.example']])
  }
})
