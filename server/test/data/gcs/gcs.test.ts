import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { StoreUnavailableError } from '../../../src/data/backend/backend.ts'
import { gcsBackend } from '../../../src/data/gcs/open.ts'
import { startFaultyProxy } from '../../support/servers/faulty-proxy.ts'
import { startGcsServer, unfinishedSessions, type GcsServer } from '../../support/stores/gcs/server.ts'
import { newGcsKeyFile } from '../../support/stores/gcs/key-file.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'
import { resumableCaller } from '../../support/stores/resumable-caller.ts'
import { testDependencies } from '../../support/stores/store-dependencies.ts'
import { bytesOf, collect, inChunks } from '../../support/bytes.ts'
import { testDataBackend } from '../suites/contract-suite.ts'
import { testTuning, type NetworkStoreUnderTest } from '../suites/network-store.ts'
import { testNetworkStore } from '../suites/network-store-suite.ts'
import { testParts } from '../suites/parts-suite.ts'
import { testResumableWrites } from '../suites/resumable-suite.ts'
import { testSharedMemory } from '../suites/shared-memory-suite.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { never } from '../../support/signals.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'

// The package of Google does not sign for a time in the past of the machine.
const clock = manualClock(Date.UTC(2100, 0, 1, 12, 0, 0, 900))

const optionsOf = ({ bucketName }: GcsServer, endpoint: string) => ({
  bucket: bucketName,
  prefix: 'files/',
  keyFile: '',
  endpoint,
})

/** Names of objects, and ids of sessions that are neither finished nor cancelled. */
const stored = (server: GcsServer) => [...server.bucket.objects.keys(), ...unfinishedSessions(server)]

testDataBackend('Google Cloud Storage', async () => {
  const server = await startGcsServer()
  return {
    backend: await gcsBackend(optionsOf(server, server.endpoint), testDependencies()),
    stored: () => Promise.resolve(stored(server)),
    close: () => server.close(),
  }
})

/** The smallest parts, as for an upload without memory. */
const partSize = 256 * 1024

/** A store behind a faulty proxy. */
async function networkStore(clock = manualClock(), mergeCount?: number): Promise<NetworkStoreUnderTest> {
  const server = await startGcsServer()
  const proxy = await startFaultyProxy(server.endpoint)
  const tuning = { ...testTuning, sharedBytes: 0, ...(mergeCount !== undefined && { mergeCount }) }
  return {
    open: (idleTimeout = testTuning.idleTimeout) =>
      gcsBackend(optionsOf(server, proxy.url), testDependencies(clock), { ...tuning, idleTimeout }),
    proxy,
    stored: () => Promise.resolve(stored(server)),
    close: async () => {
      await proxy.close()
      await server.close()
    },
  }
}

testNetworkStore(
  'Google Cloud Storage',
  { partSize, isWrite: /^P[A-Z]+ .upload./, isRead: /^GET .*alt=media/ },
  () => networkStore(),
)

testResumableWrites(
  'Google Cloud Storage',
  { borders: [partSize], commitBytes: partSize, runs: 10 },
  async () => {
    const server = await startGcsServer()
    const options = optionsOf(server, server.endpoint)
    return {
      open: () => gcsBackend(options, testDependencies(), { sharedBytes: 0 }),
      stored: () => Promise.resolve(stored(server)),
      close: () => server.close(),
    }
  },
)

testParts(
  'Google Cloud Storage',
  { partSize, isWrite: /^POST .upload.*key%2F/, isMerge: /key%2F.*.compose/, objectsOf: () => 1 },
  (mergeCount, clock) => networkStore(clock, mergeCount),
)

describe('Google Cloud Storage', () => {
  testSharedMemory('Google Cloud Storage', async () => {
    const server = await startGcsServer()
    onTestFinished(() => server.close())
    return gcsBackend(optionsOf(server, server.endpoint), testDependencies(), { memory: 16 * mebibyte })
  })

  test('a chunk that was stored partly continues after the stored bytes', async () => {
    const server = await startGcsServer()
    const proxy = await startFaultyProxy(server.endpoint)
    const backend = await gcsBackend(optionsOf(server, proxy.url), testDependencies(), {
      retryPolicy: testTuning.retryPolicy,
    })
    // Two whole granules and a half of the second chunk of 8 MiB.
    proxy.fail({ kind: 'cut-request', after: 2.5 * partSize }, { when: /^PUT/, skip: 1, times: 1 })
    const bytes = bytesOf(20_000_000)
    await backend.add('key', inChunks(bytes, mebibyte), never)
    expect((await collect(await backend.get('key'))).equals(bytes)).toBe(true)
    expect(server.ranges).toEqual([
      ...['bytes 0-8388607/*', 'bytes 8388608-16777215/*', 'bytes */*', 'bytes 8912896-16777215/*'],
      'bytes 16777216-19999999/20000000',
    ])
    await proxy.close()
    await server.close()
  })

  test('uploads wait for each other where the memory suffices for one part, and none fails', async () => {
    const server = await startGcsServer()
    const tuning = { memory: 0 }
    const backend = await gcsBackend(optionsOf(server, server.endpoint), testDependencies(), tuning)
    const keys = ['a', 'b', 'c', 'd']
    const bytes = bytesOf(9 * mebibyte)
    await Promise.all(keys.map((key) => backend.add(key, inChunks(bytes, mebibyte), never)))
    for (const key of keys) expect((await collect(await backend.get(key))).equals(bytes)).toBe(true)
    await server.close()
  })

  test('a file of more parts than can be composed at once is composed in rounds', async () => {
    const server = await startGcsServer()
    const tuning = { sharedBytes: 0, mergeCount: 128 }
    const backend = await gcsBackend(optionsOf(server, server.endpoint), testDependencies(), tuning)
    const bytes = bytesOf(70 * partSize - 1)
    const file = await resumableCaller('key', () => backend)
    await file.append(bytes, [mebibyte])
    expect(stored(server)).toHaveLength(70)
    await file.finish()
    expect((await collect(await backend.get('key'))).equals(bytes)).toBe(true)
    expect(stored(server)).toEqual(['files/key'])
    expect(server.bucket.objects.get('files/key')?.componentCount).toBe(70)
    await server.close()
  })

  test('an existing object is not replaced', async () => {
    const server = await startGcsServer()
    const backend = await gcsBackend(optionsOf(server, server.endpoint), testDependencies(), testTuning)
    const add = (size: number) => backend.add('key', inChunks(bytesOf(size), mebibyte), never)
    await add(10)
    await expect(add(20)).rejects.toThrow(StoreUnavailableError)
    await expect(add(9 * mebibyte)).rejects.toThrow(StoreUnavailableError)
    expect(await collect(await backend.get('key'))).toHaveLength(10)
    await server.close()
  })

  test('credentials of a key file yield a token, and a new one when it is rejected early', async () => {
    const server = await startGcsServer()
    const tokens = await startTokenServer()
    server.tokens.add('token-1')
    const options = { ...optionsOf(server, server.endpoint), keyFile: tokens.keyFile }
    const backend = await gcsBackend(options, testDependencies(), testTuning)
    await backend.add('key', inChunks(bytesOf(10), 10), never)
    server.tokens.clear()
    server.tokens.add('token-2')
    expect(await collect(await backend.get('key'))).toHaveLength(10)
    expect(tokens.issued()).toBe(2)
    server.tokens.clear()
    server.tokens.add('none of those')
    await expect(backend.get('key')).rejects.toThrow(StoreUnavailableError)
    tokens.close()
    await server.close()
  })
})

describe('a presigned URL of Google Cloud Storage', () => {
  const options = {
    expiresIn: 60,
    contentType: 'image/png',
    cacheControl: 'private, no-cache',
    contentDisposition: `attachment; filename="a.png"; filename*=UTF-8''%C3%A4%20b.png`,
  }
  const get = async (address: URL | string) => {
    const response = await fetch(address)
    return { status: response.status, headers: response.headers, bytes: await response.bytes() }
  }

  async function start() {
    const clockHere = manualClock(clock.now())
    const key = await newGcsKeyFile()
    const server = await startGcsServer({ publicKey: key.publicKey, clock: clockHere })
    const backend = await gcsBackend(
      { ...optionsOf(server, server.endpoint), keyFile: key.path },
      testDependencies(clockHere),
    )
    onTestFinished(async () => {
      await server.close()
    })
    await backend.add('key', inChunks(bytesOf(10), 10), never)
    const address = new URL((await backend.presignedURL?.('key', options)) ?? '')
    return { address, clock: clockHere, server, key }
  }

  test('is accepted by the endpoint, with the requested type and name', async () => {
    const { address, server, key } = await start()
    expect(address.origin).toBe(server.endpoint)
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      'X-Goog-Algorithm': 'GOOG4-RSA-SHA256',
      'X-Goog-Date': '21000101T120000Z',
      'X-Goog-Expires': '60',
      'X-Goog-SignedHeaders': 'host',
      'X-Goog-Credential': `${key.email}/21000101/auto/storage/goog4_request`,
    })
    const { status, bytes, headers } = await get(address)
    expect([status, bytesOf(10).equals(bytes)]).toEqual([200, true])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': options.contentDisposition,
      'cache-control': 'private, max-age=0',
    })
  })

  test.each([
    ['the type', (address: string) => address.replace('image%2Fpng', 'text%2Fhtml')],
    ['the disposition', (address: string) => address.replace('attachment', 'inline')],
    ['the object', (address: string) => address.replace('/key?', '/kez?')],
    ['the end', (address: string) => address.replace('Expires=60', 'Expires=61')],
  ])('is rejected when %s is changed', async (_, change) => {
    const { address } = await start()
    const changed = change(address.href)
    expect(changed).not.toBe(address.href)
    expect((await get(changed)).status).toBe(403)
  })

  test('expires at the requested time', async () => {
    const { address, clock: here } = await start()
    here.advance(59_000)
    expect((await get(address)).status).toBe(200)
    here.advance(1_000)
    expect((await get(address)).status).toBe(400)
  })

  test('cannot be made with credentials without a private key', async () => {
    const server = await startGcsServer()
    const tokens = await startTokenServer()
    for (const keyFile of ['', tokens.keyFile]) {
      const backend = await gcsBackend(
        { ...optionsOf(server, server.endpoint), keyFile },
        testDependencies(clock),
        testTuning,
      )
      expect(backend.presignedURL).toBeUndefined()
      expect(backend.noPresignedURL).toContain('KeyFile')
    }
    tokens.close()
    await server.close()
  })
})

/** A service that exchanges an external token for one of Google, with a key file for it. */
async function startTokenServer() {
  const folder = await temporaryDirectory()
  let issued = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      issued += 1
      const token = { access_token: `token-${String(issued)}`, token_type: 'Bearer', expires_in: 3600 }
      const reply = { ...token, issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const keyFile = join(folder, 'key.json')
  await writeFile(join(folder, 'subject'), 'a token of elsewhere')
  const key = {
    type: 'external_account',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/test',
    token_url: `http://127.0.0.1:${String(port)}/token`,
    credential_source: { file: join(folder, 'subject') },
  }
  await writeFile(keyFile, JSON.stringify(key))
  return {
    keyFile,
    issued: () => issued,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
