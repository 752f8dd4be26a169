import type { CliLoginStart } from '@svc/contract'
import { expect, test } from 'vitest'
import { root, signIn } from '../support/clients/accounts.ts'
import { sendRequest, jsonIn, errorIn } from '../support/clients/send-request.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { rawConnection, requestHead } from '../support/clients/raw-connection.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import { describeCluster } from '../support/servers/cluster.ts'
import { until } from '../support/until.ts'
import { call, freshLogin } from '../support/servers/server-with-accounts.ts'

const start = Date.UTC(2026, 0, 1)
const skew = 30_000

describeCluster('two servers whose clocks differ by 30 seconds', (newCluster) => {
  const cluster = async () => {
    const place = await newCluster()
    const behind = await place.start({ clock: manualClock(start) })
    const ahead = await place.start({ clock: manualClock(start + skew) })
    const advance = (ms: number) => {
      for (const { clock } of [behind, ahead]) clock.advance(ms)
    }
    return { behind, ahead, advance, database: await place.connect() }
  }

  test('do not take a one-shot file from each other', async () => {
    const { behind, ahead, advance, database } = await cluster()
    const bytes = randomBytes(20_000_000)
    const { path } = await storeUpload(behind, bytes, { oneShot: true })
    const download = await rawConnection(behind.url)
    await download.send(requestHead('GET', path))
    const head = await download.head()
    const claimUntil = async () => {
      const [row] = await database.query('select "claimUntil" from files')
      return Number(row?.['claimUntil'])
    }
    for (let passed = 0; passed < 300_000; passed += 30_000) {
      const before = await claimUntil()
      advance(30_000 - 1)
      expect(errorIn(await sendRequest(ahead.url, path))).toEqual({
        status: 409,
        code: 'download_in_progress',
      })
      advance(1)
      await until('the claim is renewed', async () => (await claimUntil()) > before)
    }
    expect((await download.take(Number(head.headers['content-length']))).equals(bytes)).toBe(true)
    await until('it is used up', async () => (await sendRequest(ahead.url, path)).status === 404)
    download.cut()
  })

  test('do not treat each other as dead', async () => {
    const { behind, ahead, advance, database } = await cluster()
    const upload = await rawConnection(behind.url)
    await upload.send(requestHead('PUT', '/arriving.bin', { 'content-length': 2_000 }))
    await upload.send('x'.repeat(1_000))
    await until('the file arrives', async () => (await database.query('select 1 from files')).length === 1)
    const seen = async () => {
      const rows = await database.query('select "seenAt" from instances order by "seenAt"')
      return Number(rows[0]?.['seenAt'])
    }
    for (let passed = 0; passed < 300_000; passed += 30_000) {
      const before = await seen()
      advance(30_000 - 1)
      expect((await ahead.clean()).abandonedFiles).toBe(0)
      advance(1)
      await until('both wrote a heartbeat', async () => (await seen()) > before)
    }
    await upload.send('x'.repeat(1_000))
    expect((await upload.response()).status).toBe(200)
    upload.cut()
  })

  test('end sessions, codes and limits at most by their difference too early or late', async () => {
    const { behind, ahead, advance } = await cluster()
    for (const [on, at] of [
      [behind, ahead],
      [ahead, behind],
    ] as const) {
      const session = await signIn(on, root)
      expect((await call(at, 'GET /me', { as: session })).status).toBe(200)
    }
    const begin = async () => jsonIn(await call(behind, 'POST /auth/cli/init', { body: {} })) as CliLoginStart
    const [early, late] = [await begin(), await begin()]
    const login = freshLogin()
    const guess = (at: { readonly url: string }) =>
      call(at, 'POST /auth/local/login', { body: { login, password: 'wrong horse' } })
    for (let n = 0; n < 10; n++) expect((await guess(behind)).status).toBe(401)
    expect((await guess(ahead)).status).toBe(429)

    advance(300_000 - skew - 1)
    const approve = (at: typeof ahead, { code }: CliLoginStart) =>
      call(at, 'POST /auth/cli/approve', { as: at.admin, body: { code } })
    expect((await approve(ahead, early)).status).toBe(200)
    expect((await guess(ahead)).status).toBe(429)
    advance(1)
    expect((await approve(ahead, late)).status).toBe(404)
    expect((await approve(behind, late)).status).toBe(200)
    expect((await guess(behind)).status).toBe(429)
    expect((await guess(ahead)).status).toBe(401)
  })
})
