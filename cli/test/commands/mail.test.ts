import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startMailServer, type MailServer } from '../../../server/test/support/notifications/mail-server.ts'
import { emptyDirectory, runSvcd, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let mailServer: MailServer
let server: Svcd
let svc: Svc
let environment: Record<string, string>
beforeAll(async () => {
  mailServer = await startMailServer({ disabledCommands: ['STARTTLS', 'AUTH'] })
  const directory = await emptyDirectory()
  const settings = {
    FEATURE_AUTHENTICATION: 'enabled',
    FEATURE_MAIL: 'enabled',
    MAILS_PER_USER: '6',
    SVC_DOMAIN: 'https://svc.example',
    MAIL_SERVER: `smtp://127.0.0.1:${String(mailServer.port)}`,
    MAIL_FROM: 'svc@svc.example',
    MAIL_TLS: 'none',
  }
  server = await startSvcd(directory, settings)
  svc = await installSvc(server.url)
  await runSvcd(['user', 'create', 'ada', '--generate-password'], directory, settings)
  const { output } = await runSvcd(['token', 'create', 'ada'], directory, settings)
  environment = { SVC_TOKEN: output.trim() }
  await writeFile(svc.path('a.txt'), 'content')
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close(), mailServer.close()])
})
beforeEach(() => {
  mailServer.mails.length = 0
})

const recipients = async (count: number) => {
  await until(`there are ${String(count)} messages`, () => mailServer.mails.length >= count)
  return mailServer.mails.flatMap(({ to }) => to).toSorted()
}

const link = /^http:\/\/\S+\/#\/\?id=\w{16}\n$/

test('an upload is sent, and its link to two addresses that no log has', async () => {
  const addresses = ['--mail', 'eve@x.example', '--mail', 'bob@y.example', '--message', 'Hello']
  const { status, output, stderr } = await svc.run(['a.txt', ...addresses], { environment })
  expect([status, output]).toEqual([0, expect.stringMatching(link)])
  expect(stderr).toContain('the server sends the link to 2 addresses')
  expect(await recipients(2)).toEqual(['bob@y.example', 'eve@x.example'])
  expect(mailServer.mails[0]?.parts.get('text/plain')).toContain('> Hello\r\n')
  expect(server.log()).not.toMatch(/eve@|bob@|Hello/)
})

test('svc mail sends the link of an earlier upload', async () => {
  const { output } = await svc.run(['a.txt'], { environment })
  const words = ['mail', output.trim(), 'eve@x.example', '--language', 'de']
  expect(await svc.run(words, { environment })).toMatchObject({
    status: 0,
    output: 'the server sends the link to 1 address\n',
  })
  expect(await recipients(1)).toEqual(['eve@x.example'])
  expect(mailServer.mails[0]?.headers.get('content-language')).toBe('de')
  expect(await svc.json(words, { environment })).toEqual({ accepted: 1 })
})

test('an upload whose email is refused stays, with its link and a warning', async () => {
  const five = ['1', '2', '3', '4', '5'].flatMap((name) => ['--mail', `${name}@x.example`])
  const { status, output, stderr } = await svc.run(['a.txt', ...five], { environment })
  expect([status, output]).toEqual([1, expect.stringMatching(link)])
  expect(stderr).toContain(
    'warning: the upload is complete, but its link was not sent by email: your account',
  )
  expect((await svc.run(['info', output.trim()], { environment })).status).toBe(0)
})

test('an upload of others is refused', async () => {
  const { output } = await svc.run(['a.txt'])
  const { status, stderr } = await svc.run(['mail', output.trim(), 'eve@x.example'], { environment })
  expect([status, stderr]).toEqual([1, expect.stringContaining('only the account that owns the upload')])
})

test.each([
  [['a.txt', '--mail', 'eve'], 'eve is not an email address'],
  [['a.txt', '--message', 'Hello'], 'use it with --mail'],
  [['a.txt', '--mail', 'eve@x.example', '--encrypt'], 'the server does not have the key'],
  [
    ['a.txt', '--mail', 'eve@x.example', '--to', 'put+http://127.0.0.1:9/'],
    '--mail cannot be used with --to',
  ],
  [['mail', '0123456789abcdef'], 'ADDRESSES'],
  [['mail', '0123456789abcdef', 'Ada <ada@x.example>'], 'is not an email address'],
])('svc %j is refused before anything is sent', async (words, reason) => {
  const { status, output, stderr } = await svc.run(words, { environment })
  expect([status, output, stderr]).toEqual([2, '', expect.stringContaining(reason)])
})

test('--mail without an account is refused before anything is sent', async () => {
  const { status, output, stderr } = await svc.run(['a.txt', '--mail', 'eve@x.example'])
  expect([status, output, stderr]).toEqual([2, '', expect.stringContaining('svc login')])
})
