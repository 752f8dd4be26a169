import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { mountSkipReason } from '../../../scripts/tests/programs.ts'
import { pairs, tus } from '../resumable/tus.ts'
import { accountsConfig, root, signIn } from '../support/clients/accounts.ts'
import { sendRequest, errorIn, jsonRequest, type TestRequest } from '../support/clients/send-request.ts'
import { fileForm, formType } from '../support/clients/forms.ts'
import { smallDisk, type SmallDisk } from '../support/machine/small-disk.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { mebibyte } from '../../src/domain/sizes.ts'

const full = { status: 507, code: 'no_space' }

describeUnless(mountSkipReason, 'the reserve of the disk with the database', () => {
  const reserve = 16 * mebibyte
  let disk: SmallDisk
  let server: TestServer

  beforeEach(async () => {
    disk = await smallDisk(64 * mebibyte)
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

  /**
   * Creates uploads, several at a time, until none of them finds space.
   * @returns how many
   */
  async function fill(upload: object, concurrency = 16): Promise<number> {
    let created = 0
    for (let last = 1; last > 0; created += last) {
      const create = () => sendRequest(server.url, '/upload', jsonRequest(upload))
      const responses = await Promise.all(Array.from({ length: concurrency }, create))
      expect(disk.free()).toBeGreaterThanOrEqual(reserve)
      const refused = responses.filter(({ status }) => status !== 200)
      for (const response of refused) expect(errorIn(response)).toEqual(full)
      last = responses.length - refused.length
    }
    return created
  }

  /** A command-line login that waits for its token. */
  async function approvedLogin(headers: TestRequest['headers']) {
    const begun = await sendRequest(server.url, '/auth/cli/init', jsonRequest({ hostname: 'h' }))
    const { code, secret } = JSON.parse(begun.text) as { readonly code: string; readonly secret: string }
    expect((await sendRequest(server.url, '/auth/cli/approve', jsonRequest({ code }, headers))).status).toBe(
      200,
    )
    return { code, secret }
  }

  test('no upload uses it, with long texts or many declared files', async () => {
    expect(await fill({ comments: 'c'.repeat(32_768) })).toBeGreaterThan(100)
    const files = Array.from({ length: 1_000 }, (_, index) => ({ fileName: `${String(index)}.txt` }))
    await fill({ files })
    await fill({}, 1)
    await server.close()
    expect(disk.free()).toBeGreaterThanOrEqual(reserve)
    server = await startTestServer()
  })

  test('the metrics and /ready show that it is reached', async () => {
    expect((await sendRequest(server.url, '/ready')).text).toBe('ok')
    await fill({ comments: 'c'.repeat(32_768) })
    const { status, text } = await sendRequest(server.url, '/ready')
    expect([status, text]).toEqual([
      200,
      expect.stringMatching(/^ok\nno_space: the disk of the database .+$/),
    ])
  })

  test('every route that writes a row is rejected, and those that read or remove work', async () => {
    const admin = await signIn(server, root)
    const kept = await server.client.createUpload({ files: [{ fileName: 'a' }] })
    const waiting = await approvedLogin(admin.headers)
    await fill({ comments: 'c'.repeat(32_768) })
    // What was admitted counts for a while after it was written, as more than it took.
    for (let inVain = 0; inVain < 3;) inVain = (await fill({}, 1)) === 0 ? inVain + 1 : 0
    const token = { 'x-uploadtoken': kept.uploadToken ?? '' }
    const form = { method: 'POST', headers: { 'content-type': formType }, body: fileForm('x') }
    const routes: [string, TestRequest][] = [
      ['/upload', jsonRequest({})],
      ['/upload', jsonRequest({ files: [{ fileName: 'b' }] })],
      ['/', form],
      ['/name.txt', { method: 'PUT', body: 'x' }],
      [`/file/${kept.id}`, { ...form, headers: { ...form.headers, ...token } }],
      ['/auth/cli/init', jsonRequest({ hostname: 'h' })],
      ['/me/token', jsonRequest({ comment: 'c' }, admin.headers)],
      [
        '/user',
        jsonRequest({ provider: 'local', login: 'newcomer', password: 'long enough' }, admin.headers),
      ],
    ]
    for (const [path, question] of routes)
      expect([path, (await sendRequest(server.url, path, question)).status]).toEqual([path, full.status])
    const target = { id: kept.id, headers: token }
    const metadata = { 'upload-metadata': pairs({ filename: 'x' }), 'upload-length': 1 }
    expect(errorIn(await tus(server, target, 'POST', { headers: metadata }))).toEqual(full)
    const draft = { ...token, 'upload-draft-interop-version': '8', 'upload-complete': '?0' }
    const begin: TestRequest = { method: 'POST', headers: draft, body: 'x' }
    expect((await sendRequest(server.url, `/resumable/${kept.id}?fileName=x`, begin)).status).toBe(
      full.status,
    )
    // A command line that was let in before is given no token.
    expect(errorIn(await sendRequest(server.url, '/auth/cli/poll', jsonRequest(waiting)))).toEqual(full)
    expect((await server.client.upload(kept.id)).files).toHaveLength(1)
    await server.client.removeUpload(kept.id, { uploadToken: kept.uploadToken ?? '' })
    expect((await sendRequest(server.url, '/me', { headers: admin.headers })).status).toBe(200)
  })

  test('a user signs in and removes files until an eighth of it is left', async () => {
    const admin = await signIn(server, root)
    const kept = await server.client.createUpload()
    const ballast = async (left: number) => {
      await writeFile(join(disk.path, 'ballast'), new Uint8Array(disk.free() - left), { flag: 'a' })
      server.clock.advance(1_000)
    }
    await ballast(reserve / 2)
    expect(errorIn(await sendRequest(server.url, '/upload', jsonRequest({})))).toEqual(full)
    const { headers } = await signIn(server, root)
    expect((await sendRequest(server.url, `/upload/${kept.id}`, { method: 'DELETE', headers })).status).toBe(
      200,
    )
    await ballast(reserve / 8)
    expect(errorIn(await sendRequest(server.url, '/auth/local/login', jsonRequest(root)))).toEqual(full)
    expect((await sendRequest(server.url, '/me', { headers: admin.headers })).status).toBe(200)
  })
})
