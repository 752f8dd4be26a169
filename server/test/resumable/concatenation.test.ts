import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { User } from '@svc/contract'
import { defaultConfig } from '../../src/config/load.ts'
import { openDataBackend } from '../../src/data/open.ts'
import { createUser, createUserToken, signIn, userPassword } from '../support/clients/accounts.ts'
import { errorIn, jsonIn, sendRequest, type TestResponse } from '../support/clients/send-request.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { expectCorrectCounters } from '../support/databases/correct-counters.ts'
import { connectDirectly } from '../support/databases/direct-connection.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { lookUp, storedFiles } from '../support/servers/server-data.ts'
import {
  freshLogin,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../support/servers/server-with-accounts.ts'
import { fragileBackend, type FragileBackend } from '../support/stores/fragile-backend.ts'
import {
  begin,
  create,
  expectWhole,
  head,
  joinParts,
  newTarget,
  openTargetOf,
  patch,
  sendParts,
  tus,
  type TusFile,
  type UploadTarget,
} from './tus.ts'

/** Seconds; less than the heartbeat timeout. */
const resumableTTL = 100

let data: FragileBackend
let server: ServerWithAccounts
beforeAll(async () => {
  const directory = await temporaryDirectory()
  data = fragileBackend(
    await openDataBackend(defaultConfig(directory).dataBackend, manualClock(), (into) =>
      crypto.getRandomValues(into),
    ),
  )
  server = await startServerWithAccounts({ data, directory, config: { resumableTTL } })
})
afterAll(() => server.close())

const bytes = randomBytes(2_000_000)
const thirds = [bytes.subarray(0, 700_000), bytes.subarray(700_000, 1_900_000), bytes.subarray(1_900_000)]
const invalid = { status: 400, code: 'invalid_request' }

async function expectNothingLeft(): Promise<void> {
  await server.clean()
  const database = await connectDirectly(server.config.metadataBackend)
  await expectCorrectCounters(database, server)
  await database.close()
}

function fileIn(target: UploadTarget, response: TestResponse): TusFile {
  const path = new URL(response.headers.location ?? '').pathname
  return { target, path, id: String(response.headers['x-fileid']) }
}

const filesOf = async ({ id, headers }: UploadTarget) =>
  (jsonIn(await sendRequest(server.url, `/upload/${id}`, { headers })) as { files: object[] }).files

test('a final upload has the bytes of its parts in their order, which end with it', async () => {
  const target = await newTarget(server)
  const parts = await sendParts(server, target, thirds)
  expect(await filesOf(target)).toEqual([])
  expect((await head(server, parts[0] as TusFile)).headers).toMatchObject({
    'upload-concat': 'partial',
    'upload-offset': '700000',
  })
  const response = await joinParts(server, target, parts, { fileName: 'file.bin', reference: 'r' })
  expect([response.status, response.headers['upload-offset']]).toEqual([201, String(bytes.length)])
  await expectWhole(server, fileIn(target, response), bytes)
  expect(await filesOf(target)).toMatchObject([{ reference: 'r' }])
  for (const part of parts) expect((await head(server, part)).status).toBe(404)
  await expectNothingLeft()
})

test('paths name parts, too, and an empty part adds nothing', async () => {
  const target = await newTarget(server)
  const parts = await sendParts(server, target, [new Uint8Array(), ...thirds, new Uint8Array()])
  const urls = parts.map(({ path }) => path)
  const response = await tus(server, target, 'POST', {
    headers: {
      'upload-concat': `final;${urls.join(' ')}`,
      'upload-metadata': `fileName ${btoa('file.bin')}`,
    },
  })
  await expectWhole(server, fileIn(target, response), bytes)
})

test('the alias of the upload names its parts, in any case, and that of another does not', async () => {
  await createUser(server, server.admin, { login: 'alias' })
  const token = await createUserToken(
    server,
    await signIn(server, { login: 'alias', password: userPassword }),
  )
  const target = await openTargetOf(server, token, { alias: 'holiday' })
  await openTargetOf(server, token, { alias: 'others' })
  const parts = await sendParts(server, target, thirds)
  const named = (...aliases: readonly string[]) =>
    parts.map((part, index) => ({ ...part, path: part.path.replace(target.id, aliases[index] ?? target.id) }))
  expect(errorIn(await joinParts(server, target, named('holiday', 'others')))).toEqual(invalid)
  expect(errorIn(await joinParts(server, target, named('unknown')))).toEqual(invalid)
  const response = await joinParts(server, target, named('holiday', 'Holiday'))
  await expectWhole(server, fileIn(target, response), bytes)
})

test('parts of one upload are not for another', async () => {
  const [mine, foreign] = [await newTarget(server), await newTarget(server)]
  const parts = await sendParts(server, foreign, thirds)
  expect(errorIn(await joinParts(server, mine, parts))).toEqual(invalid)
  const disguised = parts.map((part) => ({ ...part, path: part.path.replace(foreign.id, mine.id) }))
  expect(errorIn(await joinParts(server, mine, disguised))).toEqual({ status: 404, code: 'file_not_found' })
  expect((await joinParts(server, foreign, parts)).status).toBe(201)
})

test('a part must be complete, partial, and named once', async () => {
  const target = await newTarget(server)
  const [part] = (await sendParts(server, target, thirds)) as [TusFile]
  const begun = await begin(server, target, { size: 2, headers: { 'upload-concat': 'partial' } })
  const whole = await begin(server, target, { size: 2, body: randomBytes(2) })
  for (const wrong of [begun, whole, part])
    expect(errorIn(await joinParts(server, target, [part, wrong]))).toEqual(invalid)
  expect((await patch(server, begun, 0, randomBytes(2))).status).toBe(204)
  expect((await joinParts(server, target, [part, begun])).status).toBe(201)
})

test.each([
  ['another word', { 'upload-concat': 'all' }],
  ['no part', { 'upload-concat': 'final;' }],
  ['a length', { 'upload-concat': 'final;/tus/a/b', 'upload-length': 1 }],
  ['another address', { 'upload-concat': 'final;https://elsewhere.example/a' }],
])('a final upload with %s is rejected', async (_what, headers) => {
  const response = await tus(server, await newTarget(server), 'POST', { headers })
  expect(errorIn(response)).toEqual(invalid)
})

test('only the whole file has to be encrypted', async () => {
  const encrypted = Buffer.concat([Buffer.from('age-encryption.org/v1\n-> X25519 '), bytes])
  const target = await newTarget(server, { e2ee: 'age' })
  const parts = await sendParts(server, target, [encrypted.subarray(0, 5), encrypted.subarray(5)])
  expect(errorIn(await joinParts(server, target, [...parts].reverse()))).toEqual({
    status: 400,
    code: 'not_encrypted',
  })
  const response = await joinParts(server, target, parts)
  await expectWhole(server, fileIn(target, response), encrypted)
})

test('a one-shot file of parts is downloaded once', async () => {
  const target = await newTarget(server, { oneShot: true })
  const response = await joinParts(server, target, await sendParts(server, target, thirds))
  const path = `/file/${target.id}/${fileIn(target, response).id}/file.bin`
  expect((await sendRequest(server.url, path)).body.equals(bytes)).toBe(true)
  expect((await sendRequest(server.url, path)).status).toBe(404)
})

test('parts that no final upload takes over expire', async () => {
  const parts = await sendParts(server, await newTarget(server), thirds)
  server.clock.advance(resumableTTL * 1000)
  await server.clean()
  await expectNothingLeft()
  expect(storedFiles(server)).not.toContain(parts[0]?.id)
})

test('a failed copy leaves nothing, and the request can be repeated', async () => {
  const target = await newTarget(server)
  const parts = await sendParts(server, target, thirds)
  data.breakAt(1, 'unavailable')
  expect(errorIn(await joinParts(server, target, parts))).toEqual({ status: 503, code: 'unavailable' })
  data.breakAt(undefined)
  expect(await filesOf(target)).toMatchObject([{ status: 'removed' }])
  const response = await joinParts(server, target, parts)
  await expectWhole(server, fileIn(target, response), bytes)
  await expectNothingLeft()
})

describe('of an account', () => {
  const withQuota = async (fields: Partial<User>) => {
    const login = freshLogin()
    await createUser(server, server.admin, { login, ...fields })
    const session = await signIn(server, { login, password: userPassword })
    const token = await createUserToken(server, session)
    const used = () => lookUp(server, `select "usedSize" from users where login = '${login}'`)
    return { target: await openTargetOf(server, token), used }
  }

  test('parts count against the quota, and a final upload takes their quota over', async () => {
    const { target, used } = await withQuota({ maxUserSize: bytes.length })
    const parts = await sendParts(server, target, thirds)
    expect(used()).toEqual([bytes.length])
    expect(
      errorIn(await create(server, target, { size: 1, headers: { 'upload-concat': 'partial' } })),
    ).toEqual({ status: 413, code: 'quota_reached' })
    expect((await joinParts(server, target, parts)).status).toBe(201)
    expect(used()).toEqual([bytes.length])
    await expectNothingLeft()
  })

  test('the size limit of a file is that of the final upload', async () => {
    const { target } = await withQuota({ maxFileSize: bytes.length - 1 })
    const parts = await sendParts(server, target, thirds)
    expect(errorIn(await joinParts(server, target, parts))).toEqual({ status: 413, code: 'file_too_big' })
    expect((await joinParts(server, target, parts.slice(1))).status).toBe(201)
  })
})
