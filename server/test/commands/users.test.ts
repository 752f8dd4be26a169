import { beforeEach, describe, expect, test } from 'vitest'
import { limits } from '@svc/contract'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { json, svcd } from './command-line.ts'

let directory: string
beforeEach(async () => {
  directory = await emptyDirectory()
})

const input = 'battery staple\n'
const create = (...args: string[]) =>
  svcd(directory, ['user', 'create', ...args, '--password-stdin'], { input })

const bob = {
  id: 'local:bob',
  provider: 'local',
  login: 'bob',
  name: '',
  email: '',
  theme: '',
  language: '',
  admin: false,
  maxFileSize: 0,
  maxUserSize: 0,
  maxTTL: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
}

describe('svcd user create', () => {
  test('creates a local user, and prints its id', async () => {
    expect(await create('bob')).toEqual({ status: 0, output: 'created local:bob\n', stderr: '' })
    expect(await json(directory, ['user', 'list'])).toEqual([{ ...bob, usedSize: 0 }])
  })

  test('accepts every field that an admin may set, with readable sizes and durations', async () => {
    const options = ['--name=Bob B.', '--email', 'bob@example.org', '--admin', '--json']
    const limited = ['--max-file-size', '10 GB', '--max-user-size', 'unlimited', '--max-ttl', '1d12h']
    const { output } = await create('bob', ...options, ...limited)
    expect(JSON.parse(output)).toEqual({
      ...bob,
      name: 'Bob B.',
      email: 'bob@example.org',
      admin: true,
      maxFileSize: 10_000_000_000,
      maxUserSize: -1,
      maxTTL: 129_600,
    })
  })

  test('generates a password of 32 characters on request, and prints it', async () => {
    const args = ['user', 'create', 'bob', '--generate-password']
    const { output } = await svcd(directory, args)
    expect(output).toMatch(/^created local:bob\npassword: [0-9A-Za-z]{32}\n$/)
    const another = await json(directory, ['user', 'create', 'eve', '--generate-password'])
    expect(another).toEqual({
      ...bob,
      id: 'local:eve',
      login: 'eve',
      password: expect.stringMatching(/^[0-9A-Za-z]{32}$/) as string,
    })
  })

  test.each([
    ['a login', 'ab', 'login must have at least 3 characters'],
    ['a long login', 'a'.repeat(limits.userLoginLength + 1), 'login must have at most 128 characters'],
  ])('rejects %s that a request could not have', async (_, login, reason) => {
    const { status, stderr } = await create(login)
    expect([status, stderr]).toEqual([2, `${reason} (see svcd user create --help)`])
    expect(await json(directory, ['user', 'list'])).toEqual([])
  })

  test.each([
    [limits.userPasswordMinLength - 1, 2],
    [limits.userPasswordMinLength, 0],
    [limits.userPasswordLength, 0],
    [limits.userPasswordLength + 1, 2],
  ])('of a password of %i characters makes status %i, and never shows it', async (length, expected) => {
    const password = 'ä'.repeat(length)
    const args = ['user', 'create', 'bob', '--password-stdin']
    const { status, output, stderr } = await svcd(directory, args, { input: `${password}\r\nmore` })
    expect(status).toBe(expected)
    expect(output + stderr).not.toContain('ä')
  })

  test('rejects an existing user', async () => {
    await create('bob')
    expect(await create('bob')).toEqual({
      status: 1,
      output: '',
      stderr: 'the user local:bob already exists',
    })
  })

  test('users of a provider have no password', async () => {
    const args = ['user', 'create', 'bob@example.org', '--provider', 'idp1']
    expect((await svcd(directory, args)).output).toBe('created idp1:bob@example.org\n')
    const { status, stderr } = await svcd(directory, [...args, '--generate-password'])
    expect([status, stderr]).toEqual([
      2,
      'users of idp1 sign in with the provider and have no password (see svcd user create --help)',
    ])
  })

  test('control characters in names are rejected', async () => {
    const { status, stderr } = await create('bob\x1b[2J')
    expect(status).toBe(1)
    expect(stderr).toMatch(/^login must not contain control characters/)
  })

  test('a password comes from one source', async () => {
    const { status, stderr } = await create('bob', '--generate-password')
    expect([status, stderr]).toEqual([
      2,
      'use only one of the password options (see svcd user create --help)',
    ])
  })

  test('needs a password on standard input, or a terminal for the prompt', async () => {
    const none = await svcd(directory, ['user', 'create', 'bob', '--password-stdin'])
    expect([none.status, none.stderr]).toEqual([1, 'standard input has no password'])
    const nowhere = await svcd(directory, ['user', 'create', 'bob'])
    expect([nowhere.status, nowhere.stderr]).toEqual([
      2,
      'a password prompt needs a terminal: use --password-stdin or --generate-password ' +
        '(see svcd user create --help)',
    ])
  })
})

describe('svcd user list and show', () => {
  test('a table for eyes', async () => {
    await create('bob', '--email=bob@example.org', '--max-user-size=1.5 GB', '--name=Bob')
    expect((await svcd(directory, ['user', 'list'])).output).toBe(
      'ID         ADMIN  USED  QUOTA   CREATED               EMAIL            NAME\n' +
        'local:bob  no     0 B   1.5 GB  2026-01-01T00:00:00Z  bob@example.org  Bob\n',
    )
  })

  test('lists the newest first, up to the limit, of one provider, admins or others', async () => {
    await create('bob', '--admin')
    await create('eve')
    await svcd(directory, ['user', 'create', 'zoe', '--provider=idp2'])
    const ids = async (...args: string[]) =>
      ((await json(directory, ['user', 'list', ...args])) as { id: string }[]).map(({ id }) => id)
    expect(await ids()).toEqual(['local:eve', 'local:bob', 'idp2:zoe'])
    expect(await ids('--limit=2')).toEqual(['local:eve', 'local:bob'])
    expect(await ids('--provider=idp2')).toEqual(['idp2:zoe'])
    expect(await ids('--admin')).toEqual(['local:bob'])
    expect(await ids('--no-admin')).toEqual(['local:eve', 'idp2:zoe'])
    expect((await svcd(directory, ['user', 'list', '--limit=2'])).output).toMatch(
      /\n\(2 of 3, see --limit\)\n$/,
    )
  })

  test('shows a user by login or id, with the stored fields', async () => {
    await create('bob', '--max-ttl=30d')
    const stats = { uploads: 0, files: 0, totalSize: 0 }
    const expected = { ...bob, maxTTL: 2_592_000, stats }
    expect(await json(directory, ['user', 'show', 'bob'])).toEqual(expected)
    expect(await json(directory, ['user', 'show', 'local:bob'])).toEqual(expected)
    expect((await svcd(directory, ['user', 'show', 'bob'])).output).toContain('max TTL        30d\n')
  })

  test('says in words that there is no such user', async () => {
    expect(await svcd(directory, ['user', 'show', 'bob'])).toEqual({
      status: 1,
      output: '',
      stderr: 'the user local:bob does not exist',
    })
    expect((await svcd(directory, ['user', 'show', 'idp1:bob'])).stderr).toBe(
      'the user idp1:bob does not exist',
    )
  })
})

describe('svcd user update', () => {
  test('changes the given fields only; default and an empty text reset them', async () => {
    await create('bob', '--name=Bob', '--email=bob@example.org', '--max-file-size=1 GB', '--max-ttl=1d')
    const args = [
      'user',
      'update',
      'bob',
      '--name=',
      '--max-file-size=default',
      '--max-user-size=2GiB',
      '--admin',
    ]
    const changed = { ...bob, email: 'bob@example.org', maxUserSize: 2 ** 31, maxTTL: 86_400, admin: true }
    expect(await json(directory, args)).toEqual(changed)
    expect(await json(directory, ['user', 'list'])).toEqual([{ ...changed, usedSize: 0 }])
  })

  test('the last admin stays one', async () => {
    await create('root', '--admin')
    const reason = 'this is the last admin: make another user an admin first'
    const demotion = await svcd(directory, ['user', 'update', 'root', '--no-admin'])
    expect([demotion.status, demotion.stderr]).toEqual([1, reason])
    const deletion = await svcd(directory, ['user', 'delete', 'root', '--yes'])
    expect([deletion.status, deletion.stderr]).toEqual([1, reason])
    await create('bob', '--admin')
    expect((await svcd(directory, ['user', 'update', 'root', '--no-admin'])).status).toBe(0)
  })

  test('rejects a call without changes', async () => {
    await create('bob')
    const { status, stderr } = await svcd(directory, ['user', 'update', 'bob'])
    expect([status, stderr]).toEqual([
      2,
      'nothing to change: name a field with an option (see svcd user update --help)',
    ])
  })

  test.each([
    ['--max-file-size=0', '--max-file-size must be a size, not 0, or `unlimited`, or `default`'],
    ['--max-user-size=much', '--max-user-size must be a size, not 0, or `unlimited`, or `default`'],
    ['--max-ttl=0', '--max-ttl must be a duration of 1 second to 100 years, or `unlimited`, or `default`'],
  ])('refuses %s', async (option, reason) => {
    const { status, stderr } = await svcd(directory, ['user', 'update', 'bob', option])
    expect([status, stderr.startsWith(reason)]).toEqual([2, true])
  })
})

describe('svcd user delete', () => {
  test('without a terminal it needs --yes', async () => {
    await create('bob')
    expect((await svcd(directory, ['user', 'delete', 'bob'])).status).toBe(2)
    expect(await json(directory, ['user', 'delete', 'bob', '--yes'])).toEqual({ deleted: 'local:bob' })
    expect(await json(directory, ['user', 'list'])).toEqual([])
  })

  test.each([
    ['y', 0, 0],
    ['YES', 0, 0],
    ['', 1, 1],
    ['n', 1, 1],
    ['yesterday', 1, 1],
    [null, 1, 1],
  ])('on a terminal it prompts, and %j leads to status %i', async (typed, status, left) => {
    await create('bob')
    const outcome = await svcd(directory, ['user', 'delete', 'bob'], { typed: [typed] })
    expect(outcome.stderr).toContain('Delete local:bob with 0 uploads? [y/N]')
    expect(outcome.status).toBe(status)
    expect(await json(directory, ['user', 'list'])).toHaveLength(left)
  })
})
