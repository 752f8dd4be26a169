import { beforeEach, expect, test } from 'vitest'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { startTestServer } from '../support/servers/test-server.ts'
import { signIn } from '../support/clients/accounts.ts'
import { json, svcd } from './command-line.ts'

let directory: string
beforeEach(async () => {
  directory = await emptyDirectory()
})

const password = 'battery staple'

test('a password is requested twice, and not shown', async () => {
  const server = await startTestServer({ directory, features: { feature_authentication: 'enabled' } })
  const typed = [password, password]
  const { status, output, stderr } = await svcd(directory, ['user', 'create', 'bob'], { typed })
  expect([status, output]).toEqual([0, 'created local:bob\n'])
  expect(stderr).toContain('Password:')
  expect(stderr).toContain('Repeat the password:')
  expect(stderr).not.toContain('staple')
  await signIn(server, { login: 'bob', password })
  const changed = await svcd(directory, ['user', 'update', 'bob', '--password'], {
    typed: ['correct horse', 'correct horse'],
  })
  expect(changed.output).toBe('changed local:bob\n')
  await signIn(server, { login: 'bob', password: 'correct horse' })
  await server.close()
})

test.each([
  ['differs the second time', [password, 'battery stable'], 'the passwords differ, nothing was changed'],
  ['is not typed', [null], 'no input, nothing was changed'],
  ['is not typed again', [password, null], 'no input, nothing was changed'],
  ['is interrupted', ['\x03'], 'cancelled, nothing was changed'],
])('no user is created when the password %s', async (_, typed, reason) => {
  const { status, stderr } = await svcd(directory, ['user', 'create', 'bob'], { typed })
  expect([status, stderr.endsWith(reason)]).toEqual([1, true])
  expect(await json(directory, ['user', 'list'])).toEqual([])
})
