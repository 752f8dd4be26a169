import { createClient } from '@svc/sdk'
import { limits, type LinkMail, type Upload, type UploadOptions } from '@svc/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defaultConfig } from '../../src/config/load.ts'
import { withService } from '../../src/composition/server.ts'
import { idOfOnce } from '../../src/core/notifications/events/event.ts'
import { mailLanguages, mailTexts } from '../../src/core/notifications/email/mail-texts.ts'
import { createUserToken } from '../support/clients/accounts.ts'
import { errorIn, jsonIn } from '../support/clients/send-request.ts'
import { startMailServer, type MailServer, type ReceivedMail } from '../support/notifications/mail-server.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../support/servers/server-with-accounts.ts'
import { until } from '../support/until.ts'
import { newRequest, sendOne } from '../requests/caller.ts'

const { notifications } = defaultConfig('/')
const refused = { status: 400, code: 'invalid_request' }

let mailServer: MailServer
let server: ServerWithAccounts
let member: Member
/** Addresses that the mail server refuses. */
const refusals = new Map<string, number>()
/** The refused recipients, in their order. */
const refusedRecipients: string[] = []

const configured = (port: number, addressesPerDay = 20) => ({
  svcDomain: 'https://svc.example',
  notifications: {
    ...notifications,
    linkMail: { addressesPerDay },
    mail: {
      server: `smtp://127.0.0.1:${String(port)}`,
      tls: 'none',
      ca: '',
      from: 'Svc <svc@svc.example>',
    } as const,
  },
})

beforeAll(async () => {
  mailServer = await startMailServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, callback) {
      const responseCode = refusals.get(address)
      if (responseCode !== undefined) refusedRecipients.push(address)
      callback(responseCode === undefined ? null : Object.assign(new Error('refused'), { responseCode }))
    },
  })
  server = await startServerWithAccounts({
    features: { feature_mail: 'enabled' },
    config: configured(mailServer.port),
  })
})
afterAll(async () => {
  await server.close()
  await mailServer.close()
})
beforeEach(async () => {
  member = await newMember(server, { name: 'Ada Lovelace', email: 'ada@mail.example' })
  mailServer.mails.length = 0
  refusals.clear()
  refusedRecipients.length = 0
})

const waitForMails = (count: number): Promise<readonly ReceivedMail[]> =>
  until(`there are ${String(count)} messages`, () => mailServer.mails.length >= count && mailServer.mails)

async function newUpload(options: UploadOptions = {}, names = ['report.pdf'], as = member): Promise<Upload> {
  const upload = jsonIn(await call(server, 'POST /upload', { as: as.session, body: options })) as Upload
  const { uploadToken } = upload
  for (const fileName of names)
    await server.client.addFile(upload.id, new Blob(['content']), { fileName, uploadToken })
  return upload
}

const mailTo = (id: string, mail: Partial<LinkMail> = {}, as = member) =>
  call(server, `POST /upload/${id}/mail`, {
    as: as.session,
    body: { addresses: ['eve@x.example'], ...mail },
  })

const textOf = (mail: ReceivedMail | undefined, type = 'text/plain'): string => mail?.parts.get(type) ?? ''

test('each address gets a message with the link, the sender, the files and the expiry', async () => {
  const { id, expireAt } = await newUpload({ ttl: 86_400 }, ['report.pdf', 'b.txt'])
  const response = await mailTo(id, { addresses: ['eve@x.example', 'bob@y.example', 'EVE@x.example'] })
  expect(jsonIn(response)).toEqual({ accepted: 2 })
  const mails = await waitForMails(2)
  expect(mails.map(({ to }) => to[0]?.toLowerCase()).toSorted()).toEqual(['bob@y.example', 'eve@x.example'])
  const [mail] = mails
  expect(mail?.headers.get('subject')).toBe('Files for you from svc.example')
  const year = String(new Date(expireAt ?? 0).getUTCFullYear())
  for (const part of ['Ada Lovelace', 'svc.example', 'report.\u2060pdf and 1 more', 'files: 2', '14 B', year])
    for (const type of ['text/plain', 'text/html']) expect(textOf(mail, type)).toContain(part)
  expect(textOf(mail)).toContain(`Open the files: https://svc.example/#/?id=${id}\r\n`)
  expect(textOf(mail, 'text/html')).toContain(`<a href="https://svc.example/#/?id=${id}">`)
})

test('a message says how many times each file can be downloaded, in every language', async () => {
  const [often, once, always] = [
    await newUpload({ maxDownloads: 3 }),
    await newUpload({ oneShot: true }),
    await newUpload(),
  ]
  await mailTo(often.id)
  await mailTo(once.id)
  await mailTo(always.id)
  const mails = await waitForMails(3)
  const textFor = ({ id }: Upload) => textOf(mails.find((mail) => textOf(mail).includes(id)))
  expect(textFor(often)).toContain('Downloads allowed per file: 3')
  expect(textFor(once)).toContain('Downloads allowed per file: 1')
  expect(textFor(always)).not.toContain('Downloads allowed')
  for (const texts of Object.values(mailTexts)) expect(texts.linkDownloads).toContain('{count}')
})

test('responses go to the address of the account only once it is confirmed', async () => {
  const { id } = await newUpload()
  await mailTo(id)
  const [first] = await waitForMails(1)
  expect(first?.headers.has('reply-to')).toBe(false)
  await call(server, 'POST /me/notifications/email', { as: member.session })
  const code = /^[0-9A-Z]{4}-[0-9A-Z]{4}$/m.exec(textOf((await waitForMails(2))[1]))?.[0]
  const body = { code }
  await call(server, 'POST /me/notifications/email/confirm', { as: member.session, body })
  await mailTo(id)
  expect((await waitForMails(3))[2]?.headers.get('reply-to')).toBe('ada@mail.example')
})

test('the text of the sender is quoted, and mail programs make no link of it', async () => {
  const { id } = await newUpload()
  const message = 'Hello <b>Eve</b>,\nsee http://evil.example or pay@evil.example\r\n\u202ebye'
  await mailTo(id, { message })
  const [mail] = await waitForMails(1)
  const plain = textOf(mail).replaceAll('\u2060', '')
  expect(plain).toContain(
    '> Hello <b>Eve</b>,\r\n> see http://evil.example or pay@evil.example\r\n>  bye\r\n',
  )
  expect(textOf(mail, 'text/html')).toContain('Hello &lt;b&gt;Eve&lt;/\u2060b&gt;,<br>')
  for (const part of mail?.parts.values() ?? []) expect(part).not.toMatch(/http:\/\/evil|@evil|evil\.example/)
})

test('a name cannot add headers, lines or links', async () => {
  member = await newMember(server, { name: 'Ada http://evil.example' })
  const { id } = await newUpload({}, ['www.evil.example'])
  await mailTo(id, { message: 'x\r\nBcc: mallory@evil.example' })
  const [mail] = await waitForMails(1)
  expect([mail?.to, mail?.headers.has('bcc')]).toEqual([['eve@x.example'], false])
  for (const part of mail?.parts.values() ?? []) expect(part).not.toMatch(/evil\.example|\/\/evil/)
  for (const address of ['eve@x.example\r\nBcc: bob@x.example', 'eve@x.example,bob@x.example', 'no address'])
    expect(errorIn(await mailTo(id, { addresses: [address] }))).toEqual(refused)
})

test('a message about an upload with a password says so, and names neither its files nor its password', async () => {
  const { id } = await newUpload({ password: 'secret word' })
  await mailTo(id)
  const [mail] = await waitForMails(1)
  expect(textOf(mail)).toContain('protected by a password')
  for (const part of mail?.parts.values() ?? []) expect(part).not.toMatch(/report|secret/)
})

test('the link of a stream is sent before its file', async () => {
  const { id } = await newUpload({ stream: true, files: [{ fileName: 'film.mp4' }] }, [])
  expect((await mailTo(id)).status).toBe(200)
  expect(textOf((await waitForMails(1))[0])).toContain('Number of files: 1\r\n')
})

test('uploads that the link alone does not open are refused, with the reason', async () => {
  const encrypted = await newUpload({ e2ee: 'age' }, [])
  const response = await mailTo(encrypted.id)
  expect(errorIn(response)).toEqual({ status: 409, code: 'key_required' })
  expect(response.text).toContain('copy the link with its key')
  expect(errorIn(await mailTo((await newUpload({}, [])).id))).toEqual({ status: 400, code: 'missing_file' })
  const userToken = await createUserToken(server, member.session)
  const client = createClient({ baseURL: server.url, userToken })
  const { id } = await newRequest({ client })
  expect(errorIn(await mailTo((await sendOne(server.client, id)).upload.id))).toEqual(refused)
  expect(mailServer.mails).toEqual([])
})

test('bodies beyond the limits are refused', async () => {
  const { id } = await newUpload()
  const many = (count: number) => Array.from({ length: count }, (_, index) => `${String(index)}@x.example`)
  for (const mail of [
    { addresses: [] },
    { addresses: many(limits.mailAddresses + 1) },
    { addresses: ['root@localhost'] },
    { addresses: ['eve%x.example@relay.example'] },
    { addresses: ['\u202Eeve@x.example'] },
    { message: 'x'.repeat(limits.mailMessageLength + 1) },
    { message: 'a\0b' },
    { language: 'xx' },
  ])
    expect(errorIn(await mailTo(id, mail))).toEqual(refused)
  expect((await mailTo(id, { message: '🗿'.repeat(limits.mailMessageLength) })).status).toBe(200)
  // Otherwise it arrives in the next test.
  await waitForMails(1)
})

test.each(mailLanguages)('a message can be in the language %s', async (language) => {
  const { id } = await newUpload()
  await mailTo(id, { language })
  const [mail] = await waitForMails(1)
  expect(mail?.headers.get('content-language')).toBe(language)
  const { linkOpen, link } = mailTexts[language]
  expect(textOf(mail)).toContain(`${linkOpen}: https://`)
  expect(textOf(mail)).toContain(link.replace('{sender}', 'Ada Lovelace').replace('{service}', 'svc.example'))
})

test('without a language, a message is in that of the account', async () => {
  await call(server, 'PATCH /me', { as: member.session, body: { language: 'de-AT' } })
  await mailTo((await newUpload()).id)
  expect((await waitForMails(1))[0]?.headers.get('content-language')).toBe('de')
})

test('an account has a limited number of addresses within a day, on all instances together', async () => {
  const other = await startServerWithAccounts({
    directory: server.directory,
    clock: server.clock,
    features: { feature_mail: 'enabled' },
    config: configured(mailServer.port),
  })
  const { id } = await newUpload()
  const ten = Array.from({ length: 10 }, (_, index) => `${String(index)}@x.example`)
  const send = (to: ServerWithAccounts, addresses: readonly string[]) =>
    call(to, `POST /upload/${id}/mail`, { as: member.session, body: { addresses } })
  const responses = await Promise.all([server, other, server, other].map((to) => send(to, ten.slice(0, 6))))
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429])
  expect(errorIn(await send(other, ten))).toEqual({ status: 429, code: 'mail_limit_reached' })
  expect((await send(other, ten.slice(0, 2))).status).toBe(200)
  await waitForMails(20)
  server.clock.advance(24 * 3_600_000 + 1)
  const renewed = await newUpload()
  expect((await mailTo(renewed.id, { addresses: ten })).status).toBe(200)
  await waitForMails(30)
  await other.close()
})

test('a message that is refused for good, or whose upload was removed, is given up', async () => {
  refusals.set('gone@x.example', 550)
  refusals.set('later@x.example', 450)
  const { id } = await newUpload()
  await mailTo(id, { addresses: ['gone@x.example', 'later@x.example', 'eve@x.example'] })
  await waitForMails(1)
  await until('two messages were refused', () => refusedRecipients.length >= 2)
  await call(server, `DELETE /upload/${id}`, { as: member.session })
  refusals.clear()
  server.clock.advance(10_000)
  const { id: next } = await newUpload()
  await mailTo(next, { addresses: ['bob@x.example'] })
  expect((await waitForMails(2)).flatMap(({ to }) => to)).toEqual(['eve@x.example', 'bob@x.example'])
})

test('addresses and texts leave the database with the last attempt', async () => {
  refusals.set('gone@x.example', 550)
  refusals.set('later@x.example', 450)
  const { id } = await newUpload()
  const addresses = ['gone@x.example', 'later@x.example', 'eve@x.example']
  await mailTo(id, { addresses, message: 'Hello' })
  const rows = () =>
    withService(server.config, ({ store }) =>
      store.outbox.page(idOfOnce(member.id, 'links by e-mail'), { limit: 9, order: 'asc' }),
    )
  const finished = await until('two attempts were the last ones', async () => {
    const { results } = await rows()
    return results.every(({ attempts }) => attempts === 1) && results
  })
  const shown = finished.map(({ responseStatus, error, payload }) => ({
    responseStatus,
    error,
    isEmpty: payload === '{}',
  }))
  expect(shown.toSorted((a, b) => (a.responseStatus ?? 0) - (b.responseStatus ?? 0))).toEqual([
    { responseStatus: 250, error: null, isEmpty: true },
    { responseStatus: 450, error: 'the mail server could not be used', isEmpty: false },
    { responseStatus: 550, error: 'the mail server refused the message', isEmpty: true },
  ])
  expect(finished.map(({ payload }) => payload).join()).not.toMatch(/eve|gone/)
})

test('a server without the feature says so', async () => {
  const plain = await startServerWithAccounts()
  const plainMember = await newMember(plain)
  const body = { addresses: ['eve@x.example'] }
  const response = await call(plain, 'POST /upload/0123456789abcdef/mail', { as: plainMember.session, body })
  expect(errorIn(response)).toEqual({ status: 403, code: 'feature_disabled' })
  await plain.close()
})
