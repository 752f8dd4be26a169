import { filePath, type File, type Upload } from '@svc/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryBackend } from '../../../src/data/memory/memory.ts'
import { jsonIn, sendRequest } from '../../support/clients/send-request.ts'
import { rawConnection, requestHead, type RawConnection } from '../../support/clients/raw-connection.ts'
import { fileStatuses, lookUp } from '../../support/servers/server-data.ts'
import { until } from '../../support/until.ts'
import { uploadMethods, form, usedSize, wrongCounters, type UploadMethod } from './upload-methods.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
beforeAll(async () => {
  server = await startServerWithAccounts({
    data: memoryBackend(),
    config: { maxUserSize: 2_000, maxFilePerUpload: 4 },
  })
})
afterAll(() => server.close())

/** What one user did so far, as the user knows it. */
interface Ledger {
  readonly member: Member
  readonly uploads: string[]
  readonly files: { readonly upload: string; readonly path: string }[]
  /** Files on their way, with the bytes that are still to come. */
  readonly arriving: { readonly connection: RawConnection; readonly rest: number }[]
}

/** An action that may happen at any time. Errors are as good as successes: only the counters matter. */
type Action = (ledger: Ledger) => Promise<unknown>

const pick = <Item>(from: readonly Item[], at: number): Item | undefined => from[at % from.length]

const createUpload =
  (options: object): Action =>
  async ({ member, uploads, files }) => {
    const response = await call(server, 'POST /upload', { as: member.session, body: options })
    const upload = jsonIn(response) as Upload
    uploads.push(upload.id)
    for (const file of upload.files) remember(files, upload.id, file)
  }

function remember(files: Ledger['files'], upload: string, { id, fileName }: File): void {
  files.push({ upload, path: filePath(upload, id, fileName) })
}

const addFile =
  (at: number, size: number): Action =>
  async ({ member, uploads, files }) => {
    const upload = pick(uploads, at)
    if (upload === undefined) return
    const response = await form(server, `/file/${upload}`, member.session.headers, 'x'.repeat(size))
    if (response.status === 200) remember(files, upload, jsonIn(response) as File)
  }

const sendDeclared =
  (at: number, size: number): Action =>
  async ({ member, files }) => {
    const file = pick(files, at)
    if (file !== undefined) await form(server, file.path, member.session.headers, 'x'.repeat(size))
  }

const sendQuickly =
  (method: UploadMethod, size: number): Action =>
  async ({ member, uploads }) => {
    const { headers } = await uploadMethods[method](server, member.session.headers, 'x'.repeat(size))
    if (headers['x-uploadid'] !== undefined) uploads.push(String(headers['x-uploadid']))
  }

const begin =
  (size: number, announced: boolean): Action =>
  async ({ member, arriving }) => {
    const connection = await rawConnection(server.url)
    const rest = Math.floor(size / 2)
    const length = announced ? { 'content-length': size } : { 'transfer-encoding': 'chunked' }
    await connection.send(requestHead('PUT', '/name.txt', { ...member.session.headers, ...length }))
    const part = 'x'.repeat(size - rest)
    await connection.send(announced ? part : `${part.length.toString(16)}\r\n${part}\r\n`)
    arriving.push({ connection, rest: announced ? rest : 0 })
  }

const end =
  (at: number, how: 'finish' | 'cut'): Action =>
  async ({ arriving }) => {
    const [{ connection, rest } = { connection: undefined, rest: 0 }] = arriving.splice(
      at % (arriving.length || 1),
      1,
    )
    if (connection === undefined) return
    if (how === 'finish') {
      await connection.send(rest > 0 ? 'x'.repeat(rest) : '0\r\n\r\n')
      await connection.response().catch(() => undefined)
    }
    connection.cut()
  }

const asMember =
  (line: (ledger: Ledger) => Parameters<typeof call>[1] | undefined): Action =>
  async (ledger) => {
    const requested = line(ledger)
    if (requested !== undefined) await call(server, requested, { as: ledger.member.session })
  }

const removeFile = (at: number) =>
  asMember(({ files }) => {
    const file = pick(files, at)
    return file && `DELETE ${file.path}`
  })
const removeUpload = (at: number) =>
  asMember(({ uploads }) => {
    const upload = pick(uploads, at)
    return upload === undefined ? undefined : `DELETE /upload/${upload}`
  })
const removeAll = asMember(() => 'DELETE /me/uploads')
/** A concurrent removal may reset the connection: a removed one-shot file is not sent any further. */
const ignoreReset =
  (download: Action): Action =>
  (ledger) =>
    download(ledger).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ECONNRESET')) throw error
    })
const download = (at: number) =>
  asMember(({ files }) => {
    const file = pick(files, at)
    return file && `GET ${file.path}`
  })
const downloadArchive = (at: number) =>
  asMember(({ uploads }) => {
    const upload = pick(uploads, at)
    return upload === undefined ? undefined : `GET /archive/${upload}/all.zip`
  })

const wait =
  (ms: number): Action =>
  () => {
    server.clock.advance(ms)
    return Promise.resolve()
  }
const clean: Action = () => server.clean()

const roundTrips = 5

const at = fc.nat(20)
const size = fc.constantFrom(0, 1, 300, 700, 1_999, 2_000, 2_001)
const ttl = fc.constantFrom(0, 60)
const options = fc.record({
  oneShot: fc.boolean(),
  ttl,
  files: fc.constantFrom([], [{ fileName: 'file.txt' }]),
})
const quickMethod = fc.constantFrom<UploadMethod>('quick form', 'raw body', 'raw body of unknown length')

const actions: fc.Arbitrary<readonly [string, Action]> = fc.oneof(
  {
    weight: 3,
    arbitrary: options.map(
      (uploadOptions) => [`create ${JSON.stringify(uploadOptions)}`, createUpload(uploadOptions)] as const,
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(at, size)
      .map(([n, s]) => [`add ${String(s)} to ${String(n)}`, addFile(n, s)] as const),
  },
  fc.tuple(at, size).map(([n, s]) => [`send ${String(s)} for ${String(n)}`, sendDeclared(n, s)] as const),
  fc
    .tuple(quickMethod, size)
    .map(([method, s]) => [`${method} of ${String(s)}`, sendQuickly(method, s)] as const),
  fc
    .tuple(size, fc.boolean())
    .map(([s, known]) => [`begin ${String(s)} ${String(known)}`, begin(s, known)] as const),
  fc
    .tuple(at, fc.constantFrom('finish', 'cut'))
    .map(([n, how]) => [`${how} ${String(n)}`, end(n, how)] as const),
  at.map((n) => [`remove file ${String(n)}`, removeFile(n)] as const),
  at.map((n) => [`remove upload ${String(n)}`, removeUpload(n)] as const),
  fc.constant(['remove all', removeAll] as const),
  at.map((n) => [`download ${String(n)}`, ignoreReset(download(n))] as const),
  at.map((n) => [`archive ${String(n)}`, ignoreReset(downloadArchive(n))] as const),
  fc.constantFrom(1_000, 60_000, 130_000).map((ms) => [`wait ${String(ms)}`, wait(ms)] as const),
  fc.constant(['clean', clean] as const),
)

/** Some actions in parallel. */
const command = fc.array(actions, { minLength: 1, maxLength: 3 }).map((parallel) => ({
  check: () => true,
  async run(_model: object, ledger: Ledger) {
    await Promise.all(parallel.map(([, action]) => action(ledger)))
    expect(wrongCounters(server)).toEqual([])
    expect(usedSize(server, ledger.member.id)).toBeLessThanOrEqual(2_000)
  },
  toString: () => parallel.map(([name]) => name).join(' & '),
}))

test('after any requests in any order, the counters equal the stored bytes, and nothing stays reserved', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands([command], { maxCommands: 20 }), async (commands) => {
      const ledger: Ledger = { member: await newMember(server), uploads: [], files: [], arriving: [] }
      await fc.asyncModelRun(() => ({ model: {}, real: ledger }), commands)
      // A server responds to these when it has read what was sent before, so that no file begins later.
      for (let trip = 0; trip < roundTrips; trip += 1) await sendRequest(server.url, '/health')
      for (const { connection } of ledger.arriving) connection.cut()
      await until('nothing arrives any more', () => !fileStatuses(server).includes('uploading'))
      expect(wrongCounters(server)).toEqual([])
      expect(lookUp(server, 'select sum(reserved) from files')[0] ?? 0).toBe(0)
      await removeAll(ledger)
      expect([usedSize(server, ledger.member.id), wrongCounters(server)]).toEqual([0, []])
    }),
    { numRuns: 60, plugins: [fc.interruptAfterTimeLimit(60_000)] },
  )
})
