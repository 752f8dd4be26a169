import { filePath, type EventKind, type NotificationSettings, type Upload } from '@svc/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defaultConfig } from '../../src/config/load.ts'
import { mailLanguages, mailTexts } from '../../src/core/notifications/email/mail-texts.ts'
import { errorIn, jsonIn, sendRequest } from '../support/clients/send-request.ts'
import { startMailServer, type MailServer, type ReceivedMail } from '../support/notifications/mail-server.ts'
import { recipient } from '../support/recipient.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../support/servers/server-with-accounts.ts'
import { until } from '../support/until.ts'
import { sendOne } from '../requests/caller.ts'

const { notifications } = defaultConfig('/')

let mailServer: MailServer
let server: ServerWithAccounts
let member: Member
let address: string
beforeAll(async () => {
  mailServer = await startMailServer({ disabledCommands: ['STARTTLS', 'AUTH'] })
  server = await startServerWithAccounts({
    config: {
      svcDomain: 'https://svc.example',
      notifications: {
        ...notifications,
        mail: {
          server: `smtp://127.0.0.1:${String(mailServer.port)}`,
          tls: 'none',
          ca: '',
          from: 'Svc <svc@svc.example>',
        },
      },
    },
  })
})
afterAll(async () => {
  await server.close()
  await mailServer.close()
})
let made = 0
beforeEach(async () => {
  made += 1
  address = `ada-${String(made)}@mail.example`
  member = await newMember(server, { email: address })
  mailServer.mails.length = 0
})

const settings = async (): Promise<NotificationSettings> =>
  jsonIn(await call(server, 'GET /me/notifications', { as: member.session })) as NotificationSettings

const waitForMails = (count: number): Promise<readonly ReceivedMail[]> =>
  until(`there are ${String(count)} messages`, () => mailServer.mails.length >= count && mailServer.mails)

const request = (headers: Record<string, string> = {}) =>
  call(server, 'POST /me/notifications/email', { as: member.session, headers })

const codeIn = (mail: ReceivedMail | undefined): string =>
  /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/m.exec(mail?.parts.get('text/plain') ?? '')?.[0] ?? ''

const confirm = (code: string) =>
  call(server, 'POST /me/notifications/email/confirm', { as: member.session, body: { code } })

/** Confirms the address, and switches on events. */
async function subscribe(events: readonly EventKind[], headers: Record<string, string> = {}): Promise<void> {
  await request(headers)
  const [mail] = await waitForMails(1)
  expect((await confirm(codeIn(mail))).status).toBe(200)
  await call(server, 'PATCH /me/notifications', { as: member.session, body: { email: { events } } })
  mailServer.mails.length = 0
}

async function downloadOf(fileName: string, more = 0): Promise<void> {
  const { id, uploadToken = '' } = jsonIn(
    await call(server, 'POST /upload', { as: member.session, body: {} }),
  ) as Upload
  const add = (name: string) =>
    server.client.addFile(id, new Blob(['content']), { fileName: name, uploadToken })
  const file = await add(fileName)
  for (let at = 0; at < more; at++) await add(`more-${String(at)}`)
  const path = more === 0 ? filePath(id, file.id, fileName) : `/archive/${id}/all.zip`
  expect((await sendRequest(server.url, path)).status).toBe(200)
  server.clock.advance(5_000)
}

test('an address is confirmed with the code that is sent to it', async () => {
  expect(await settings()).toEqual({ email: { available: true, address, confirmed: false, events: [] } })
  expect((await request()).text).toBe('ok')
  const [mail] = await waitForMails(1)
  expect([mail?.from, mail?.to, mail?.headers.get('subject')]).toEqual([
    'svc@svc.example',
    [address],
    'Confirm your email address',
  ])
  expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
  expect(mail?.parts.get('text/html')).toContain(codeIn(mail))
  expect((await confirm(codeIn(mail))).status).toBe(200)
  expect(await settings()).toEqual({ email: { available: true, address, confirmed: true, events: [] } })
})

test('a code is of one account, of one address, and valid for a day', async () => {
  await request()
  const code = codeIn((await waitForMails(1))[0])
  const wrong = { status: 400, code: 'invalid_request' }
  const other = await newMember(server, { email: address })
  const body = { code }
  const path = 'POST /me/notifications/email/confirm'
  expect(errorIn(await call(server, path, { as: other.session, body }))).toEqual(wrong)
  for (const changed of [`${code}x`, code.slice(1), '', '-', code.slice(0, 4)])
    expect(errorIn(await confirm(changed))).toEqual(wrong)
  await call(server, 'PATCH /me', { as: member.session, body: { email: `other-${address}` } })
  expect(errorIn(await confirm(code))).toEqual(wrong)
  await call(server, 'PATCH /me', { as: member.session, body: { email: address } })
  // It is signed for an hour, so it is valid for up to 25 hours.
  server.clock.advance(25 * 3_600_000)
  expect(errorIn(await confirm(code))).toEqual(wrong)
})

test.for([
  ['in lower case', (code: string) => code.toLowerCase()],
  ['without its hyphen', (code: string) => code.replace('-', '')],
  ['with spaces', (code: string) => ` ${code.replace('-', ' ')} `],
  ['with letters for digits', (code: string) => code.replaceAll('0', 'o').replaceAll('1', 'l')],
] as const)('a code is accepted %s, and a day later', async ([, written]) => {
  await request()
  const code = codeIn((await waitForMails(1))[0])
  server.clock.advance(24 * 3_600_000)
  expect((await confirm(written(code))).status).toBe(200)
})

test('an account has ten attempts at a code within an hour', async () => {
  await request()
  const code = codeIn((await waitForMails(1))[0])
  for (let tried = 0; tried < 10; tried++)
    expect(errorIn(await confirm('0000-0000'))).toEqual({ status: 400, code: 'invalid_request' })
  expect(errorIn(await confirm(code))).toEqual({ status: 429, code: 'too_many_attempts' })
  server.clock.advance(3_600_001)
  expect((await confirm(code)).status).toBe(200)
})

test('events that are switched on are sent, with the name of the file and without its address', async () => {
  await subscribe(['upload.first_download'])
  await downloadOf('report <b>&.pdf')
  const [mail] = await waitForMails(1)
  expect([mail?.to, mail?.headers.get('subject')]).toEqual([
    [address],
    'Your upload was downloaded for the first time',
  ])
  expect(mail?.parts.get('text/plain')).toContain('first time: report <b>&.\u2060pdf\r\n')
  expect(mail?.parts.get('text/html')).toContain('first time: report &lt;b&gt;&amp;.\u2060pdf</p>')
  expect(mail?.parts.get('text/plain')).toContain('https://svc.example/#/home')
  expect([...(mail?.parts.values() ?? [])].join('')).not.toContain('/file/')
})

test.each([
  'http:evil.example',
  'www.evil.example',
  'evil.zip',
  'pay@evil.example',
  'evil。example',
  'javascript:alert(1)',
])('mail programs make no link of the name %s', async (fileName) => {
  await subscribe(['upload.downloaded'])
  await downloadOf(fileName, 1)
  const [mail] = await waitForMails(1)
  for (const part of mail?.parts.values() ?? []) {
    expect(part.replaceAll('\u2060', '')).toContain(fileName)
    expect(part).not.toMatch(/https?:[/\\\w](?!\/svc\.example)|www\.\w|\w@\w|evil[.。]\w|javascript:\w/)
  }
})

test('files for a request are reported with its title, and with names that are not encrypted', async () => {
  await subscribe(['request.received'])
  const ask = async (encryptedFor?: string) => {
    const title = 'Photos of http://evil.example'
    const body = { title, ...(encryptedFor !== undefined && { recipient: encryptedFor }) }
    return (jsonIn(await call(server, 'POST /requests', { as: member.session, body })) as { id: string }).id
  }
  const requestID = await ask()
  const { upload, uploadToken } = await sendOne(server.client, requestID, 'content')
  await server.client.addFile(upload.id, new Blob(['x']), { fileName: 'b.txt', uploadToken })
  server.clock.advance(5_000)
  const [mail] = await waitForMails(1)
  expect(mail?.headers.get('subject')).toBe('Your request has received files')
  const text = mail?.parts.get('text/plain')?.replaceAll('\u2060', '')
  expect(text).toContain(
    'Your request “Photos of http://evil.example” has received files (8 B).\r\n\r\na.txt and 1 more\r\n',
  )
  expect(mail?.parts.get('text/plain')).toContain(`https://svc.example/#/home/requests?id=${requestID}`)
  expect(mail?.parts.get('text/plain')).not.toContain('http://evil')
  expect([...(mail?.parts.values() ?? [])].join('')).not.toContain(upload.id)
  const sent = await server.client.sendToUploadRequest(await ask(recipient))
  const form = { fileName: 'c2VjcmV0.age', uploadToken: sent.uploadToken ?? '' }
  await server.client.addFile(sent.id, new Blob(['age-encryption.org/v1\n-> X25519 ']), form)
  server.clock.advance(5_000)
  const second = (await waitForMails(2)).at(-1)
  for (const part of second?.parts.values() ?? []) expect(part).not.toContain('c2VjcmV0')
})

test('an archive is described by its first file', async () => {
  await subscribe(['upload.downloaded'])
  await downloadOf('first.txt', 2)
  const [mail] = await waitForMails(1)
  expect(mail?.parts.get('text/plain')).toContain('completely: first.\u2060txt and 2 more')
})

test.each(mailLanguages)('messages are in the language %s of the profile', async (language) => {
  await call(server, 'PATCH /me', { as: member.session, body: { language } })
  await subscribe(['upload.downloaded'])
  await downloadOf('a.txt')
  const [mail] = await waitForMails(1)
  expect(mail?.headers.get('content-language')).toBe(language)
  const { downloaded } = mailTexts[language]
  expect(mail?.parts.get('text/plain')).toContain(downloaded.replace('{files}', 'a.\u2060txt'))
  const direction = ['ar', 'he'].includes(language) ? 'rtl' : 'ltr'
  expect(mail?.parts.get('text/html')).toContain(`<html lang="${language}" dir="${direction}">`)
})

test('without a language in the profile, messages are in that of the browser', async () => {
  await subscribe(['upload.downloaded'], { 'accept-language': 'xx, de-AT;q=0.9, en;q=0.8' })
  await downloadOf('a.txt')
  const [mail] = await waitForMails(1)
  expect(mail?.headers.get('content-language')).toBe('de')
})

test('an address that changes after its confirmation receives nothing', async () => {
  await subscribe(['upload.downloaded'])
  await call(server, 'PATCH /me', { as: member.session, body: { email: 'victim@mail.example' } })
  expect((await settings()).email.confirmed).toBe(false)
  await downloadOf('a.txt')
  await call(server, 'PATCH /me', { as: member.session, body: { email: address } })
  await downloadOf('b.txt')
  const mails = await waitForMails(1)
  expect(mails.map(({ to }) => to)).toEqual([[address]])
})

test.each([
  '',
  'no address',
  'a@x.example, b@x.example',
  'Ada <a@x.example>',
  '"a b"@x.example',
  'a@x.example;b@x.example',
  `${'a'.repeat(250)}@x.example`.slice(0, 256),
])('the address %j is refused', async (email) => {
  await call(server, 'PATCH /me', { as: member.session, body: { email } })
  expect(errorIn(await request())).toEqual({ status: 400, code: 'invalid_request' })
})

test.each(['a@x.example\r\nBcc: b@x.example', 'a@x.example\nb@x.example'])(
  'the profile refuses %j, which would add a header',
  async (email) => {
    const response = await call(server, 'PATCH /me', { as: member.session, body: { email } })
    expect(errorIn(response)).toEqual({ status: 400, code: 'invalid_request' })
  },
)

test('an account requests a limited number of confirmations within an hour', async () => {
  for (let sent = 0; sent < 3; sent++) expect((await request()).status).toBe(200)
  expect(errorIn(await request())).toEqual({ status: 429, code: 'too_many_attempts' })
  await waitForMails(3)
  await call(server, 'PATCH /me', { as: member.session, body: { email: `other-${address}` } })
  expect(errorIn(await request())).toEqual({ status: 429, code: 'too_many_attempts' })
  server.clock.advance(3_600_001)
  expect((await request()).status).toBe(200)
  await waitForMails(4)
})

test('an address gets a limited number of confirmations within an hour, of all accounts together', async () => {
  for (let sent = 0; sent < 3; sent++) expect((await request()).status).toBe(200)
  member = await newMember(server, { email: address.toUpperCase() })
  expect(errorIn(await request())).toEqual({ status: 429, code: 'too_many_attempts' })
})

test('what an address refuses does not count for its account', async () => {
  for (let sent = 0; sent < 3; sent++) expect((await request()).status).toBe(200)
  member = await newMember(server, { email: address })
  for (let refused = 0; refused < 3; refused++)
    expect(errorIn(await request())).toEqual({ status: 429, code: 'too_many_attempts' })
  await call(server, 'PATCH /me', { as: member.session, body: { email: `other-${address}` } })
  for (let sent = 0; sent < 3; sent++) expect((await request()).status).toBe(200)
})

test('a server without email says so', async () => {
  const plain = await startServerWithAccounts()
  const plainMember = await newMember(plain, { email: 'ada@mail.example' })
  const response = await call(plain, 'POST /me/notifications/email', { as: plainMember.session })
  expect(errorIn(response)).toEqual({ status: 403, code: 'feature_disabled' })
  const shown = jsonIn(await call(plain, 'GET /me/notifications', { as: plainMember.session }))
  expect(shown).toMatchObject({ email: { available: false } })
  await plain.close()
})
