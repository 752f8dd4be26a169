import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StoreUnavailableError, type DataBackend } from '../../src/data/backend/backend.ts'
import type { Inventory } from '../../src/data/backend/inventory.ts'
import { memoryBackend } from '../../src/data/memory/memory.ts'
import {
  ImplausibleError,
  NoInventoryError,
  verify,
  type Verification,
} from '../../src/core/verify/verify.ts'
import { withService } from '../../src/composition/server.ts'
import { bytesOf, inChunks } from '../support/bytes.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { storeUpload, type StoredUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { never } from '../support/signals.ts'

const repair = { olderThan: 1_000, force: false }

let data: DataBackend
let inventory: Inventory
let server: TestServer
let files: StoredUpload[]
beforeEach(async () => {
  data = memoryBackend()
  if (data.inventory === undefined) throw new Error('the store has no inventory')
  inventory = data.inventory
  server = await startTestServer({ data })
  files = []
  for (let n = 0; n < 6; n += 1) files.push(await storeUpload(server, `content ${String(n)}`))
})
afterEach(() => server.close())

/** Verifies with a store whose listings differ from those of the server's store. */
const run = (changed: Partial<Inventory> = {}, verification: Partial<Verification> = {}, store = data) =>
  withService(server.config, (parts) => verify(parts, { hashes: false, limit: 10, ...verification }), {
    clock: server.clock,
    data: { ...store, inventory: { ...inventory, ...changed } },
  })
const remove = ({ upload, uploadToken }: StoredUpload) =>
  server.client.removeUpload(upload.id, { uploadToken })
const fileOf = (index: number) => files[index]?.file.id ?? ''

describe('a change during the comparison is not reported', () => {
  test('a stale listing: with removed files, and without new ones', async () => {
    const before = await Array.fromAsync(inventory.list())
    const [first] = files
    if (first === undefined) throw new Error('no file')
    await remove(first)
    await server.clean()
    await storeUpload(server, 'new')
    // eslint-disable-next-line @typescript-eslint/require-await -- a listing is asynchronous
    const list = async function* () {
      yield* before
    }
    expect((await run({ list })).findings).toEqual([])
  })

  test('a listing in another order than that of the keys', async () => {
    const list = async function* () {
      yield* (await Array.fromAsync(inventory.list())).reverse()
    }
    expect((await run({ list })).findings).toEqual([])
  })

  test('a file that is removed and deleted before the store is checked for it', async () => {
    const [lost, other] = files
    if (lost === undefined || other === undefined) throw new Error('no file')
    await data.remove(lost.file.id)
    await data.remove(other.file.id)
    const inspect: Inventory['inspect'] = async (key) => {
      if (key === lost.file.id) await remove(lost)
      return inventory.inspect(key)
    }
    const { findings } = await run({ inspect })
    expect(findings.map(({ file }) => file)).toEqual([other.file.id])
  })

  test('bytes of a file whose upload begins after the rows were read', async () => {
    const during = { upload: undefined as StoredUpload | undefined }
    const list = async function* () {
      const last = await Array.fromAsync(inventory.list())
      during.upload = await storeUpload(server, 'meanwhile')
      yield* last
      const stored = await inventory.inspect(during.upload.file.id)
      if (stored !== null) yield stored
    }
    expect((await run({ list })).findings).toEqual([])
    expect(during.upload).toBeDefined()
  })

  test('a repair compares everything before its first change, and then once more', async () => {
    const [lost] = files
    if (lost === undefined) throw new Error('no file')
    await data.remove(lost.file.id)
    let requests = 0
    const list = () => {
      requests += 1
      return inventory.list()
    }
    const first = await run({ list }, { repair })
    expect(requests).toBe(2)
    expect(first.findings.map(({ action }) => action)).toEqual(['removed'])
    expect((await run({}, { repair })).findings).toEqual([])
  })
})

describe('a repair is rejected as a whole', () => {
  test('when the store has lost most files, as when it is not mounted', async () => {
    const reading = run({}, { repair }, memoryBackend())
    await expect(reading).resolves.toMatchObject({ findings: [] })
    for (const { file } of files.slice(0, 4)) await data.remove(file.id)
    await expect(run({}, { repair })).rejects.toThrow(ImplausibleError)
    await expect(run({}, { repair })).rejects.toThrow('4 of 6 files have no data')
    expect((await sendRequest(server.url, files[5]?.path ?? '')).status).toBe(200)
    const forced = await run({}, { repair: { ...repair, force: true } })
    expect(forced.findings.map(({ action }) => action)).toEqual(Array(4).fill('removed'))
  })

  test('when the database misses most files, as with the store of another service', async () => {
    for (let n = 0; n < 7; n += 1)
      await data.add(`orphan${String(n).padStart(10, '0')}`, inChunks(bytesOf(5), 5), never)
    await expect(run({}, { repair })).rejects.toThrow('7 of 13 stored files are not in the database')
    expect((await Array.fromAsync(inventory.list())).length).toBe(13)
    const { findings } = await run({}, { repair: { ...repair, force: true } })
    expect(findings.map(({ action }) => action)).toEqual(Array(7).fill('deleted'))
    expect((await Array.fromAsync(inventory.list())).length).toBe(6)
  })

  test('when most files are damaged', async () => {
    for (const { file } of files.slice(0, 4)) {
      await data.remove(file.id)
      await data.add(file.id, inChunks(bytesOf(9), 9), never)
    }
    await expect(run({}, { repair, hashes: true })).rejects.toThrow('4 of 6 files have wrong hashes')
    expect((await run({}, { hashes: true })).found.wrong_hash).toBe(4)
  })
})

test('names in the store that are not ids of files are ignored', async () => {
  for (const name of ['backup', 'x'.repeat(40)]) await data.add(name, inChunks(bytesOf(5), 5), never)
  expect((await run({}, { repair: { ...repair, force: true } })).findings).toEqual([])
  expect(await inventory.inspect('backup')).not.toBeNull()
})

test('a store that fails at one file is reported, and the others are repaired', async () => {
  await data.add('orphan0000000001', inChunks(bytesOf(5), 5), never)
  await data.add('orphan0000000002', inChunks(bytesOf(5), 5), never)
  const breaking: DataBackend = {
    ...data,
    remove: (key) =>
      key.endsWith('1') ? Promise.reject(new StoreUnavailableError('unavailable')) : data.remove(key),
  }
  const { findings, left } = await run({}, { repair }, breaking)
  expect(findings.map(({ action }) => action)).toEqual(['failed', 'deleted'])
  expect(left.orphaned).toBe(1)
})

test('a store that cannot be listed ends the verification, and repairs nothing', async () => {
  await data.remove(fileOf(0))
  const list = async function* () {
    for await (const stored of inventory.list()) {
      yield stored
      throw new StoreUnavailableError('the store is unavailable')
    }
  }
  await expect(run({ list }, { repair })).rejects.toThrow(StoreUnavailableError)
  const { inventory: none, ...without } = data
  expect(none).toBeDefined()
  const reading = withService(server.config, (parts) => verify(parts, { hashes: false, limit: 1 }), {
    data: without,
  })
  await expect(reading).rejects.toThrow(NoInventoryError)
})
