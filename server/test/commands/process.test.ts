import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { beforeEach, expect, test } from 'vitest'
import { serverProcess } from '../../../scripts/server-process.mjs'
import { signIn } from '../support/clients/accounts.ts'
import { emptyDirectory, runSvcd, startSvcd } from '../support/servers/svcd.ts'

let directory: string
beforeEach(async () => {
  directory = await emptyDirectory()
})

/** Runs a command whose standard input is a pipe. */
async function pipedTo(args: readonly string[], input: string, where = directory) {
  const server = serverProcess(args)
  const child = spawn(server.command, server.args, { cwd: where, stdio: 'pipe' })
  child.stdin.end(input)
  const [output, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ])
  return { status, output, stderr }
}

test('a process creates a user while a server runs, and the user signs in', async () => {
  const server = await startSvcd(directory, { FEATURE_AUTHENTICATION: 'enabled' })
  const created = await pipedTo(['user', 'create', 'bob', '--password-stdin'], 'battery staple\nmore\n')
  expect(created).toEqual({ status: 0, output: 'created local:bob\n', stderr: '' })
  await signIn(server, { login: 'bob', password: 'battery staple' })
  server.kill('SIGTERM')
  await server.ended
})

test('an export goes through a pipe into another database', async () => {
  await pipedTo(['user', 'create', 'bob', '--generate-password'], '')
  const { status, output, stderr } = await runSvcd(['export', '-'], directory)
  expect([status, stderr]).toEqual([
    0,
    expect.stringMatching(/^exported 1 user, 0 tokens, 0 uploads, 0 files\nnot in an export: .*\n$/),
  ])
  const other = await emptyDirectory()
  expect(await pipedTo(['import', '-'], output, other)).toEqual({
    status: 0,
    output: 'imported 1 user, 0 tokens, 0 uploads, 0 files\n',
    stderr: '',
  })
})

test('a process ends with 1 and a message when it is rejected, with 2 for wrong arguments', async () => {
  const refused = await runSvcd(['user', 'show', 'bob'], directory)
  expect([refused.status, refused.output, refused.stderr]).toEqual([
    1,
    '',
    'the user local:bob does not exist\n',
  ])
  const wrong = await runSvcd(['user', 'show'], directory)
  expect([wrong.status, wrong.output]).toEqual([2, ''])
  const broken = await runSvcd(['stats'], directory, {
    METADATA_BACKEND_CONFIG_CONNECTION_STRING: directory,
  })
  expect([broken.status, broken.output]).toEqual([1, ''])
  expect(broken.stderr).toMatch(/^the metadata database could not be opened or migrated: .*\n$/)
})

test('a program that is older than its database reports it', async () => {
  await runSvcd(['stats'], directory)
  const database = new DatabaseSync(join(directory, 'svc.db'))
  database.exec(`insert into kysely_migration values ('9999-future', '')`)
  database.close()
  const older = await runSvcd(['stats'], directory)
  expect([older.status, older.stderr]).toEqual([
    1,
    'the metadata database could not be opened or migrated: it has migrations of a newer svcd (9999-future): run that one, not this\n',
  ])
})
