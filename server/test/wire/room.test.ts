import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { lackingRoot } from '../../../scripts/tests/programs.ts'
import type { Upload } from '@svc/contract'
import { begin as beginFile, pairs, patch, tus, type Door } from '../resumable/tus.ts'
import { accountsConfig, root, signIn } from '../support/accounts.ts'
import { ask, jsonIn, refusalIn, type Question } from '../support/ask.ts'
import { fileForm, formType } from '../support/forms.ts'
import { rawConnection } from '../support/raw-connection.ts'
import { smallDisk, type SmallDisk } from '../support/small-disk.ts'
import { until } from '../support/until.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const MiB = 1024 * 1024
const unlimitedBudgets = {
  uploads: Infinity,
  files: Infinity,
  bytes: Infinity,
  cliCodes: Infinity,
  passwordUploads: Infinity,
  qrCodes: Infinity,
}
const full = { status: 507, code: 'no_space' }

const json = (content: object, headers = {}): Question => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(content),
})

describeUnless(lackingRoot, 'the reserve of the disk with the database', () => {
  const reserve = 16 * MiB
  let disk: SmallDisk
  let server: TestServer

  beforeEach(async () => {
    disk = await smallDisk(64 * MiB)
    server = await startTestServer({
      config: {
        minFreeSpace: reserve,
        accounts: accountsConfig,
        metadataBackend: {
          driver: 'sqlite3',
          connectionString: join(disk.path, 'svc.db'),
          fsync: false,
        },
      },
      features: { feature_authentication: 'enabled' },
    })
  })
  afterEach(async () => {
    await server.close()
    await disk.remove()
  })

  /** Creates uploads, several at a time, until none of them finds room. @returns how many */
  async function fill(upload: object, atOnce = 16): Promise<number> {
    let created = 0
    for (let last = 1; last > 0; created += last) {
      const create = () => ask(server.url, '/upload', json(upload))
      const answers = await Promise.all(Array.from({ length: atOnce }, create))
      expect(disk.free()).toBeGreaterThanOrEqual(reserve)
      const refused = answers.filter(({ status }) => status !== 200)
      for (const answer of refused) expect(refusalIn(answer)).toEqual(full)
      last = answers.length - refused.length
    }
    return created
  }

  /** A command-line login that waits for its token. */
  async function approvedLogin(headers: Question['headers']) {
    const begun = await ask(server.url, '/auth/cli/init', json({ hostname: 'h' }))
    const { code, secret } = JSON.parse(begun.text) as { readonly code: string; readonly secret: string }
    expect((await ask(server.url, '/auth/cli/approve', json({ code }, headers))).status).toBe(200)
    return { code, secret }
  }

  test('no upload gets into it, with long texts or many declared files', async () => {
    expect(await fill({ comments: 'c'.repeat(32_768) })).toBeGreaterThan(100)
    const files = Array.from({ length: 1_000 }, (_, index) => ({ fileName: `${String(index)}.txt` }))
    await fill({ files })
    await fill({}, 1)
    await server.close()
    expect(disk.free()).toBeGreaterThanOrEqual(reserve)
    server = await startTestServer()
  })

  test('every door that writes a row is closed, and those that read or remove are open', async () => {
    const admin = await signIn(server, root)
    const kept = await server.client.createUpload({ files: [{ fileName: 'a' }] })
    const waiting = await approvedLogin(admin.headers)
    await fill({ comments: 'c'.repeat(32_768) })
    // What was admitted counts for a while after it was written, as more than it took.
    for (let inVain = 0; inVain < 3;) inVain = (await fill({}, 1)) === 0 ? inVain + 1 : 0
    const token = { 'x-uploadtoken': kept.uploadToken ?? '' }
    const form = { method: 'POST', headers: { 'content-type': formType }, body: fileForm('x') }
    const doors: [string, Question][] = [
      ['/upload', json({})],
      ['/upload', json({ files: [{ fileName: 'b' }] })],
      ['/', form],
      ['/name.txt', { method: 'PUT', body: 'x' }],
      [`/file/${kept.id}`, { ...form, headers: { ...form.headers, ...token } }],
      ['/auth/cli/init', json({ hostname: 'h' })],
      ['/me/token', json({ comment: 'c' }, admin.headers)],
      ['/user', json({ provider: 'local', login: 'newcomer', password: 'long enough' }, admin.headers)],
    ]
    for (const [path, question] of doors)
      expect([path, (await ask(server.url, path, question)).status]).toEqual([path, full.status])
    const door = { id: kept.id, headers: token }
    const metadata = { 'upload-metadata': pairs({ filename: 'x' }), 'upload-length': 1 }
    expect(refusalIn(await tus(server, door, 'POST', { headers: metadata }))).toEqual(full)
    const draft = { ...token, 'upload-draft-interop-version': '8', 'upload-complete': '?0' }
    const begin: Question = { method: 'POST', headers: draft, body: 'x' }
    expect((await ask(server.url, `/resumable/${kept.id}?fileName=x`, begin)).status).toBe(full.status)
    // A command line that was let in before is given no token.
    expect(refusalIn(await ask(server.url, '/auth/cli/poll', json(waiting)))).toEqual(full)
    expect((await server.client.upload(kept.id)).files).toHaveLength(1)
    await server.client.removeUpload(kept.id, { uploadToken: kept.uploadToken ?? '' })
    expect((await ask(server.url, '/me', { headers: admin.headers })).status).toBe(200)
  })

  test('an account signs in and removes until an eighth of it is left', async () => {
    const admin = await signIn(server, root)
    const kept = await server.client.createUpload()
    const ballast = async (left: number) => {
      await writeFile(join(disk.path, 'ballast'), new Uint8Array(disk.free() - left), { flag: 'a' })
      server.clock.advance(1_000)
    }
    await ballast(reserve / 2)
    expect(refusalIn(await ask(server.url, '/upload', json({})))).toEqual(full)
    const { headers } = await signIn(server, root)
    expect((await ask(server.url, `/upload/${kept.id}`, { method: 'DELETE', headers })).status).toBe(200)
    await ballast(reserve / 8)
    expect(refusalIn(await ask(server.url, '/auth/local/login', json(root)))).toEqual(full)
    expect((await ask(server.url, '/me', { headers: admin.headers })).status).toBe(200)
  })
})

describeUnless(lackingRoot, 'space that is announced', () => {
  let disk: SmallDisk
  let server: TestServer

  beforeEach(async () => {
    disk = await smallDisk(12 * MiB)
    const metadataBackend = { driver: 'sqlite3', connectionString: ':memory:', fsync: false } as const
    server = await startTestServer({
      config: {
        minFreeSpace: 2 * MiB,
        metadataBackend,
        dataBackend: { kind: 'file', directory: join(disk.path, 'files'), fsync: false },
        trustedProxies: ['127.0.0.0/8'],
        budgets: { ...unlimitedBudgets, exempt: ['198.51.100.0/24'] },
      },
    })
  })
  afterEach(async () => {
    await server.close()
    await disk.remove()
  })

  /** A new upload of a client of the proxy. */
  const openFrom = async (from: string): Promise<Door> => {
    const forwarded = { 'x-forwarded-for': from }
    const { id, uploadToken = '' } = jsonIn(await ask(server.url, '/upload', json({}, forwarded))) as Upload
    return { id, headers: { ...forwarded, 'x-uploadtoken': uploadToken } }
  }
  const begin = async (size: number, from = '192.0.2.1') => {
    const headers = { 'upload-metadata': pairs({ filename: 'x' }), 'upload-length': size }
    return tus(server, await openFrom(from), 'POST', { headers })
  }
  const times = <Result>(count: number, work: () => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, work))
  const countOf = (answers: readonly { readonly status: number }[], status: number) =>
    answers.filter((answer) => answer.status === status).length

  test('of many files in pieces at once, those beyond it are refused as they are announced', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => begin(MiB)))
    expect(countOf(answers, 507)).toBe(200 - countOf(answers, 201))
    // The directories of the store take a little of the ten.
    expect([9, 10]).toContain(countOf(answers, 201))
    server.clock.advance(2_000)
    expect(refusalIn(await begin(MiB))).toEqual(full)
  })

  test('who announces and sends nothing blocks nobody for long', async () => {
    await Promise.all(Array.from({ length: 9 }, () => begin(MiB)))
    expect((await begin(2 * MiB)).status).toBe(507)
    server.clock.advance(61_000)
    expect((await begin(2 * MiB)).status).toBe(201)
  })

  test('a file of which something arrived keeps its place for ten minutes', async () => {
    const door = await openFrom('192.0.2.1')
    const file = await beginFile(server, door, { size: 9 * MiB })
    expect((await patch(server, file, 0, new Uint8Array(MiB))).status).toBe(204)
    server.clock.advance(9 * 60_000)
    expect(refusalIn(await begin(2 * MiB))).toEqual(full)
    server.clock.advance(2 * 60_000)
    expect((await begin(2 * MiB)).status).toBe(201)
  })

  test('one network withholds at most a quarter from others, which is of one network', async () => {
    const attack = async () => {
      await times(20, () => begin(MiB))
      await times(20, () => begin(MiB, '2001:db8::1'))
    }
    await attack()
    expect(refusalIn(await begin(MiB))).toEqual(full)
    // Other processes know of it by the database.
    server.clock.advance(2_000)
    expect(refusalIn(await begin(MiB, '2001:db8::2'))).toEqual(full)
    const put = { method: 'PUT', headers: { 'x-forwarded-for': '192.0.2.9' }, body: 'x'.repeat(4 * MiB) }
    expect((await ask(server.url, '/f', put)).status).toBe(200)
  })

  test('slow bodies withhold a quarter, too', async () => {
    const head = `PUT /f HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 192.0.2.1\r\ncontent-length: ${String(9 * MiB)}\r\n\r\nx`
    const connection = await rawConnection(server.url)
    await connection.send(head)
    const declare = (from: string) =>
      ask(
        server.url,
        '/upload',
        json({ files: [{ fileName: 'a', fileSize: 2 * MiB }] }, { 'x-forwarded-for': from }),
      )
    await until('the body is announced', async () => (await declare('192.0.2.1')).status === 507)
    expect((await declare('192.0.2.9')).status).toBe(200)
    connection.cut()
  })

  test('an exempt network withholds all that it announces', async () => {
    await times(9, () => begin(MiB, '198.51.100.1'))
    expect(refusalIn(await begin(2 * MiB))).toEqual(full)
    server.clock.advance(2_000)
    expect(refusalIn(await begin(2 * MiB))).toEqual(full)
  })

  test('many networks at once are refused as they announce, at any later second', async () => {
    const size = MiB / 2
    const beginAll = (third: number) =>
      Promise.all(
        Array.from({ length: 30 }, (_, fourth) => begin(size, `192.0.${String(third)}.${String(fourth)}`)),
      )
    await times(8, () => begin(size, '192.0.2.1'))
    let begun = 0
    for (let second = 0; second < 4; second += 1) {
      server.clock.advance(1_000)
      begun += countOf(await beginAll(second), 201)
    }
    expect(begun).toBeGreaterThan(10)
    expect(begun * size).toBeLessThanOrEqual(8 * MiB)
  })

  test('of many files in one piece at once too, and room comes back as they end', async () => {
    const announce = async () => {
      const connection = await rawConnection(server.url)
      await connection.send(`PUT /f HTTP/1.1\r\nhost: x\r\ncontent-length: ${String(MiB)}\r\n\r\nx`)
      return connection
    }
    const connections = await Promise.all(Array.from({ length: 30 }, announce))
    const refused = await Promise.race(connections.map((connection) => connection.head()))
    expect(refused.status).toBe(507)
    for (const connection of connections) connection.cut()
    await server.close()
    server = await startTestServer({ config: server.config })
    expect((await ask(server.url, '/f', { method: 'PUT', body: 'x'.repeat(9 * MiB) })).status).toBe(200)
  })

  test('what is declared must fit, unless it is streamed', async () => {
    const declare = (stream: boolean) =>
      ask(server.url, '/upload', json({ stream, files: [{ fileName: 'a', fileSize: 11 * MiB }] }))
    expect(refusalIn(await declare(false))).toEqual(full)
    expect((await declare(true)).status).toBe(200)
  })
})
