import { execFileSync } from 'node:child_process'
import { getRandomValues } from 'node:crypto'
import { statfsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultConfig } from '../../src/config/load.ts'
import { openDataBackend } from '../../src/data/open.ts'
import { expectWhole, offsetOf, patch, partType, tus, version, newFile } from '../resumable/tus.ts'
import { expectNothingLeft } from '../support/servers/nothing-left.ts'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { fileForm, formType } from '../support/clients/forms.ts'
import { fragileBackend, type FragileBackend } from '../support/stores/fragile-backend.ts'
import { storedFiles } from '../support/servers/server-data.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { mountSkipReason } from '../../../scripts/tests/programs.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { mebibyte } from '../../src/domain/sizes.ts'

async function send(server: TestServer, bytes: Uint8Array) {
  const { id, uploadToken = '' } = await server.client.createUpload({ ttl: 60 })
  const headers = { 'x-uploadtoken': uploadToken, 'content-type': formType }
  const response = await sendRequest(server.url, `/file/${id}`, {
    method: 'POST',
    headers,
    body: fileForm(bytes),
  })
  return { response, upload: await server.client.upload(id) }
}

describe('a disk that fails at the n-th write', () => {
  let directory: string
  let data: FragileBackend
  let server: TestServer
  const bytes = randomBytes(3_000_000)

  beforeAll(async () => {
    directory = await temporaryDirectory()
    data = fragileBackend(
      await openDataBackend(defaultConfig(directory).dataBackend, manualClock(), getRandomValues),
    )
    server = await startTestServer({ data, directory, config: { maxFilePerUpload: 100 } })
  })
  afterAll(async () => {
    await server.close()
  })

  /** The number of writes of the bytes; the test fails each of them. */
  async function writes(): Promise<number> {
    const { response, upload } = await send(server, bytes)
    expect(response.status).toBe(200)
    const count = data.chunks()
    expect(count).toBeGreaterThan(1)
    server.clock.advance(60_000)
    await server.clean()
    await expect(server.client.upload(upload.id)).rejects.toMatchObject({ status: 404 })
    return count
  }

  test('at any write, the error has no internals, and nothing is kept', async () => {
    const count = await writes()
    for (let write = 1; write <= count; write++) {
      data.breakAt(write)
      const { response, upload } = await send(server, bytes)
      data.breakAt(undefined)
      expect(errorIn(response)).toEqual({ status: 500, code: 'internal_error' })
      expect(response.text).not.toMatch(/disk|Error|\/tmp|\.ts/)
      expect(upload.files.map(({ status }) => status)).toEqual(['removed'])
      expect(storedFiles(server)).toEqual([])
      await expectNothingLeft(server)
    }
  })

  test('that is full at any write, the response is 507, and nothing is kept', async () => {
    const count = await writes()
    for (let write = 1; write <= count; write++) {
      data.breakAt(write, 'full')
      const { response } = await send(server, bytes)
      data.breakAt(undefined)
      expect(errorIn(response)).toEqual({ status: 507, code: 'no_space' })
      await expectNothingLeft(server)
    }
  })

  test('a failed file releases its entry', async () => {
    const { id, uploadToken = '' } = await server.client.createUpload()
    const headers = { 'x-uploadtoken': uploadToken, 'content-type': formType }
    const post = () =>
      sendRequest(server.url, `/file/${id}`, { method: 'POST', headers, body: fileForm('x') })
    for (let round = 0; round < server.config.maxFilePerUpload + 1; round += 50) {
      data.breakAt(1)
      const failed = await Promise.all(Array.from({ length: 50 }, post))
      expect(new Set(failed.map(({ status }) => status))).toEqual(new Set([500]))
    }
    data.breakAt(undefined)
    expect((await post()).status).toBe(200)
    await server.client.removeUpload(id, { uploadToken })
  })
})

// Only root can create a file system of a given size.
describeUnless(mountSkipReason, 'a disk that is full', () => {
  const disk = 4 * mebibyte
  let directory: string
  let server: TestServer

  beforeAll(async () => {
    directory = await temporaryDirectory()
    const files = join(directory, 'files')
    await mkdir(files)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${String(disk)}`, 'tmpfs', files])
    server = await startTestServer({ directory })
  })
  afterAll(async () => {
    await server.close()
    execFileSync('umount', [join(directory, 'files')])
  })

  test('a file that does not fit is rejected with 507, and its part is removed', async () => {
    const { response, upload } = await send(server, randomBytes(disk + 500_000))
    expect(errorIn(response)).toEqual({ status: 507, code: 'no_space' })
    expect(upload.files.map(({ status }) => status)).toEqual(['removed'])
    expect(storedFiles(server)).toEqual([])
    await expectNothingLeft(server)
  })

  test('a resumable upload keeps the stored bytes, and continues when there is more space', async () => {
    const { upload } = await send(server, randomBytes(disk / 2))
    const bytes = randomBytes(3_000_000)
    const file = await newFile(server, { size: bytes.length })
    expect(errorIn(await patch(server, file, 0, bytes))).toEqual({ status: 507, code: 'no_space' })
    const offset = await offsetOf(server, file)
    expect(offset).toBeGreaterThan(0)
    server.clock.advance(60_000)
    await server.clean()
    await expect(server.client.upload(upload.id)).rejects.toMatchObject({ status: 404 })
    expect((await patch(server, file, offset, bytes.subarray(offset))).status).toBe(204)
    await expectWhole(server, file, bytes)
    await tus(server, file.target, 'DELETE', { path: file.path })
    for (let time = 0; time < 2; time += 1) await server.clean()
    await expectNothingLeft(server)
  })

  test('a disk that becomes read-only rejects uploads, and serves existing files', async () => {
    const remount = (how: string) =>
      execFileSync('mount', ['-o', `remount,${how},size=${String(disk)}`, join(directory, 'files')])
    const { upload, uploadToken, path } = await storeUpload(server, 'content')
    const bytes = randomBytes(1_000)
    const file = await newFile(server, { size: bytes.length })
    await patch(server, file, 0, bytes.subarray(0, 600))
    const unavailable = { status: 503, code: 'unavailable' }
    remount('ro')
    try {
      expect(errorIn((await send(server, bytes)).response)).toEqual(unavailable)
      expect(errorIn(await patch(server, file, 600, bytes.subarray(600)))).toEqual(unavailable)
      expect((await sendRequest(server.url, path)).text).toBe('content')
    } finally {
      remount('rw')
    }
    expect((await patch(server, file, 600, bytes.subarray(600))).status).toBe(204)
    await expectWhole(server, file, bytes)
    await server.client.removeUpload(upload.id, { uploadToken })
    await tus(server, file.target, 'DELETE', { path: file.path })
    for (let time = 0; time < 2; time += 1) await server.clean()
    await expectNothingLeft(server)
  })

  test('many parallel files of unknown length do not use the reserve', async () => {
    const minFreeSpace = disk / 4
    const guarded = await startTestServer({ directory, config: { minFreeSpace } })
    try {
      const headers = { 'transfer-encoding': 'chunked' }
      const put = () =>
        sendRequest(guarded.url, '/f?ttl=60', { method: 'PUT', headers, body: randomBytes(300_000) })
      const responses = await Promise.all(Array.from({ length: 12 }, put))
      const { bavail, bsize } = statfsSync(join(directory, 'files'))
      expect(bavail * bsize).toBeGreaterThanOrEqual(minFreeSpace)
      const rejected = responses.filter(({ status }) => status === 507).length
      expect(rejected).toBeGreaterThan(0)
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(responses.length - rejected)
      expect(storedFiles(guarded)).toHaveLength(responses.length - rejected)
    } finally {
      guarded.clock.advance(60_000)
      await guarded.clean()
      await expectNothingLeft(guarded)
      await guarded.close()
    }
  })

  test('of many parallel files those that fit are stored, the others are rejected', async () => {
    const bytes = randomBytes(700_000)
    const sent = await Promise.all(Array.from({ length: 12 }, () => send(server, bytes)))
    const statuses = sent.map(({ response }) => response.status)
    const stored = statuses.filter((status) => status === 200).length
    expect(stored).toBeGreaterThan(0)
    expect(statuses.filter((status) => status === 507)).toHaveLength(12 - stored)
    expect(storedFiles(server)).toHaveLength(stored)
    for (const { response, upload } of sent.filter(({ response }) => response.status === 200)) {
      const { id, fileName } = JSON.parse(response.text) as { readonly id: string; readonly fileName: string }
      const { body } = await sendRequest(server.url, `/file/${upload.id}/${id}/${fileName}`)
      expect(body.equals(bytes)).toBe(true)
    }
  })
})

describe('MinFreeSpaceStr', () => {
  test('a server with less free space than the reserve rejects uploads, on every route', async () => {
    // The reserve of the database is a separate one (free-space.test.ts).
    const metadataBackend = { driver: 'sqlite3', connectionString: ':memory:', fsync: false } as const
    const server = await startTestServer({ config: { minFreeSpace: 2 ** 52, metadataBackend } })
    try {
      expect(errorIn((await send(server, randomBytes(10))).response)).toEqual({
        status: 507,
        code: 'no_space',
      })
      const body = fileForm('x')
      const form = { method: 'POST', headers: { 'content-type': formType }, body }
      expect((await sendRequest(server.url, '/', form)).status).toBe(507)
      expect((await sendRequest(server.url, '/name', { method: 'PUT', body })).status).toBe(507)
      expect(storedFiles(server)).toEqual([])
    } finally {
      await server.close()
    }
  })

  test('a file of unknown length is cut at the reserve, on every route; a resumable one continues later', async () => {
    const directory = await temporaryDirectory()
    const clock = manualClock()
    let free = 1_000_000
    const sound = await openDataBackend(defaultConfig(directory).dataBackend, clock, getRandomValues)
    const data = { ...sound, freeSpace: () => Promise.resolve(free) }
    const server = await startTestServer({ data, directory, clock, config: { minFreeSpace: 900_000 } })
    try {
      const headers = { 'transfer-encoding': 'chunked' }
      const bytes = randomBytes(100_001)
      expect((await sendRequest(server.url, '/f', { method: 'PUT', headers, body: bytes })).status).toBe(507)
      const form = { ...headers, 'content-type': formType }
      const sent = { method: 'POST', headers: form, body: fileForm(bytes) }
      expect((await sendRequest(server.url, '/', sent)).status).toBe(507)
      expect(storedFiles(server)).toEqual([])
      const file = await newFile(server, { size: null })
      const part = {
        ...headers,
        ...version,
        ...file.target.headers,
        'upload-offset': 0,
        'content-type': partType,
      }
      const appended = await sendRequest(server.url, file.path, {
        method: 'PATCH',
        headers: part,
        body: bytes,
      })
      expect(errorIn(appended)).toEqual({ status: 507, code: 'no_space' })
      free = 2_000_000
      clock.advance(1_000)
      const offset = await offsetOf(server, file)
      expect(
        (await patch(server, file, offset, bytes.subarray(offset), { 'upload-length': '100001' })).status,
      ).toBe(204)
      await expectWhole(server, file, bytes)
    } finally {
      await server.close()
    }
  })

  test('an announced file must fit above the reserve', async () => {
    const directory = await temporaryDirectory()
    const sound = await openDataBackend(defaultConfig(directory).dataBackend, manualClock(), getRandomValues)
    const data = { ...sound, freeSpace: () => Promise.resolve(1_000_000) }
    const server = await startTestServer({ data, directory, config: { minFreeSpace: 900_000 } })
    try {
      const put = (length: number) =>
        sendRequest(server.url, '/f', { method: 'PUT', body: new Uint8Array(length) })
      expect((await put(100_001)).status).toBe(507)
      expect((await put(100_000)).status).toBe(200)
    } finally {
      await server.close()
    }
  })
})
