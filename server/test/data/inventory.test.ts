import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { S3Account, SwiftLogin } from '../../../scripts/test-servers/stores/object-store.ts'
import { startRadosgw } from '../../../scripts/test-servers/stores/radosgw.ts'
import { StoreUnavailableError, type DataBackend } from '../../src/data/backend/backend.ts'
import { fileBackend } from '../../src/data/file/file.ts'
import { gcsBackend } from '../../src/data/gcs/open.ts'
import { memoryBackend } from '../../src/data/memory/memory.ts'
import { s3Backend } from '../../src/data/s3/open.ts'
import { openSwift } from '../support/stores/open-swift.ts'
import { describeOn } from '../support/describe-on.ts'
import { startGcsServer } from '../support/stores/gcs/server.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { newBucket } from '../support/stores/s3-buckets.ts'
import { testDependencies } from '../support/stores/store-dependencies.ts'
import { newContainer } from '../support/stores/swift-containers.ts'
import { allocate } from '../support/servers/shared-servers.ts'
import { bytesOf, inChunks } from '../support/bytes.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { testInventory } from './suites/inventory-suite.ts'
import { never } from '../support/signals.ts'
import { mebibyte } from '../../src/domain/sizes.ts'

testInventory('memory', { large: 300_000, page: 100 }, () => Promise.resolve({ backend: memoryBackend() }))

for (const fsync of [true, false])
  testInventory(
    `file (${fsync ? 'synced' : 'unsynced'})`,
    { large: 3 * mebibyte, page: 300, partsBlock: true },
    async () => {
      const directory = await temporaryDirectory()
      return {
        backend: fileBackend({ directory, fsync }, manualClock()),
        addForeign: (name) => writeFile(join(directory, name.replaceAll('/', '-')), 'foreign'),
      }
    },
  )

testInventory('Google Cloud Storage', { large: 9 * mebibyte, page: 1_000 }, async () => {
  const server = await startGcsServer()
  const { endpoint, bucketName: bucket } = server
  return {
    backend: await gcsBackend({ bucket, prefix: 'files/', keyFile: '', endpoint }, testDependencies()),
    addForeign(name) {
      server.bucket.put({ name: `files/${name}`, data: Buffer.from('foreign'), contentType: 'text/plain' })
      return Promise.resolve()
    },
    close: () => server.close(),
  }
})

interface ObjectStore {
  readonly s3: S3Account
  readonly swift: SwiftLogin
  remove(): Promise<void>
}

const servers = {
  radosgw: async (): Promise<ObjectStore> => {
    const server = await startRadosgw()
    return { s3: server, swift: await server.openSwift(), remove: () => server.remove() }
  },
  swift: async (): Promise<ObjectStore> => {
    const server = await allocate('swift')
    return { s3: server, swift: server, remove: () => Promise.resolve() }
  },
}

for (const [kind, start] of Object.entries(servers))
  describeOn(kind as keyof typeof servers, 'inventories', () => {
    let server: ObjectStore
    beforeAll(async () => {
      server = await start()
    })
    afterAll(() => server.remove())

    // Both have the same code for pages, and the real Swift takes half a minute to fill one.
    const page = kind === 'radosgw' ? 1_000 : 10
    testInventory('S3', { large: 6 * mebibyte, page }, async () => {
      const bucket = await newBucket(server.s3)
      return {
        backend: await s3Backend(bucket.options({ prefix: 'files/' })),
        async addForeign(name) {
          const place = { Bucket: bucket.name, Key: `files/${name}` }
          await bucket.client.send(new PutObjectCommand({ ...place, Body: 'foreign' }))
        },
        close: () => Promise.resolve(),
      }
    })

    const segmentSize = 256 * 1024
    const capabilities = { large: 3 * segmentSize + 5, page, partsLookAlike: kind === 'radosgw' }
    testInventory('Swift', capabilities, async () => {
      const container = newContainer(server.swift)
      return {
        backend: await openSwift(container.options({ segmentSize }), testDependencies()),
        close: () => Promise.resolve(),
      }
    })

    test('a large object of Swift counts without its lost segments', async () => {
      const container = newContainer(server.swift)
      const backend = await openSwift(container.options({ segmentSize }), testDependencies())
      const inspect = async () => (await backend.inventory?.inspect('key'))?.size
      await backend.add('key', inChunks(bytesOf(3 * segmentSize), 50_000), never)
      expect(await inspect()).toBe(3 * segmentSize)
      await container.remove('key/00000002')
      expect(await inspect()).toBe(2 * segmentSize)
      await container.remove('key/00000001')
      // Ceph has no file when the first segment is lost.
      const left = kind === 'swift' ? segmentSize : null
      expect(await inspect()).toBe(left)
      const listed = await Array.fromAsync(backend.inventory?.list() ?? [])
      expect(listed.map(({ size }) => size)).toEqual([left])
    })
  })

describe('the inventory of a directory', () => {
  let directory: string
  let backend: DataBackend
  beforeEach(async () => {
    directory = await temporaryDirectory()
    backend = fileBackend({ directory, fsync: true }, manualClock())
  })

  const listed = () => Array.fromAsync(backend.inventory?.list() ?? [])

  test('moves a file and its unfinished part into a folder outside the store', async () => {
    await backend.add('key1', inChunks(bytesOf(10), 10), never)
    await backend.add('key2', inChunks(bytesOf(20), 20), never)
    await writeFile(join(directory, 'ke/key1.part'), 'part')
    await backend.inventory?.quarantine?.('key1')
    await backend.inventory?.quarantine?.('key1')
    await backend.inventory?.quarantine?.('none')
    expect((await listed()).map(({ key }) => key)).toEqual(['key2'])
    expect((await readdir(join(directory, 'quarantine'))).sort()).toEqual(['key1', 'key1.part'])
    expect((await readFile(join(directory, 'quarantine/key1'))).equals(bytesOf(10))).toBe(true)
  })

  test('omits links and files in the wrong place', async () => {
    await backend.add('key1', inChunks(bytesOf(10), 10), never)
    await symlink(join(directory, 'ke/key1'), join(directory, 'ke/key2'))
    await writeFile(join(directory, 'ke/other'), 'of another shard')
    await writeFile(join(directory, 'ke/key3.tmp'), 'temporary')
    expect((await listed()).map(({ key }) => key)).toEqual(['key1'])
    expect(await backend.inventory?.inspect('key2')).toBeNull()
  })

  test('fails where the directory is missing, and is not empty', async () => {
    await rm(directory, { recursive: true })
    await expect(listed()).rejects.toThrow(StoreUnavailableError)
  })
})
