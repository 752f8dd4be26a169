import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../scripts/test-servers/free-ports.ts'
import { connectDirectly } from '../../support/databases/direct-connection.ts'
import { startMailServer } from '../../support/notifications/mail-server.ts'
import { check, directory, newDirectory, startHere } from './run-check.ts'

beforeEach(newDirectory)

const settings = (port: number) => ({
  MAIL_SERVER: `smtp://login:canary@localhost:${String(port)}`,
  MAIL_FROM: 'Svc <svc@svc.example>',
  MAIL_TLS: 'none',
  SVC_DOMAIN: 'http://127.0.0.1:1',
})

test('svcd check signs in to the mail server, and sends nothing', async () => {
  const passwords: string[] = []
  const server = await startMailServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, callback) => {
      passwords.push(password ?? '')
      callback(passwords.length === 1 ? null : new Error('wrong'), { user: 'login' })
    },
  })
  onTestFinished(server.close)
  expect((await check(settings(server.port))).about('email')).toEqual([
    `ok localhost:${String(server.port)} accepts the connection`,
  ])
  const refused = await check(settings(server.port))
  expect(refused.about('email')).toEqual([
    expect.stringMatching(/^fail the mail server localhost:\d+ cannot be used: /),
  ])
  expect(refused.about('email').join('')).not.toContain('canary')
  expect(passwords).toEqual(['canary', 'canary'])
  expect(server.mails).toEqual([])
})

test('svcd check reports a mail server that is unavailable, and none without one', async () => {
  const unavailable = await check(settings(await freePort()))
  expect([unavailable.status, unavailable.about('email')]).toEqual([
    1,
    [expect.stringMatching(/^fail .* cannot be used/)],
  ])
  expect((await check()).about('email')).toEqual([])
})

test('svcd check reports a damaged key of push messages, which it does not print', async () => {
  const server = await startHere()
  expect((await check()).about('push')).toEqual(['ok the keys of push messages are valid'])
  await server.close()
  const connectionString = `${directory}/svc.db`
  const connection = await connectDirectly({ driver: 'sqlite3', connectionString, fsync: false })
  await connection.query(`update settings set value = 'canary' where key = 'vapidKey'`)
  await connection.close()
  const damaged = await check()
  expect(damaged.about('push')).toEqual([expect.stringMatching(/^fail the setting vapidKey .* is not a key/)])
  expect(damaged.about('push').join('')).not.toContain('canary')
})
