import { describe, expect, test } from 'vitest'
import { gcsBackend } from '../../src/data/gcs/open.ts'
import { startFaultyProxy } from '../support/faulty-proxy.ts'
import { startGcsServer, unfinishedSessions, type GcsServer } from '../support/gcs-server.ts'
import { bytesOf, collect, pieces } from './bytes.ts'
import { testDataBackend } from './contract-suite.ts'
import { testNetworkStore, testTuning } from './network-store-suite.ts'

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
    backend: await gcsBackend(optionsOf(server, server.endpoint)),
    stored: () => Promise.resolve(stored(server)),
    close: () => server.close(),
  }
})

/** As for an upload when there is no memory left: the smallest parts there are. */
const partSize = 256 * 1024

testNetworkStore(
  'Google Cloud Storage',
  {
    partSize,
    isWrite: /^P[A-Z]+ .upload./,
    isRead: /^GET .*alt=media/,
  },
  async () => {
    const server = await startGcsServer()
    const proxy = await startFaultyProxy(server.endpoint)
    return {
      backend: await gcsBackend(optionsOf(server, proxy.url), { ...testTuning, shared: 0 }),
      proxy,
      stored: () => Promise.resolve(stored(server)),
      close: async () => {
        await proxy.close()
        await server.close()
      },
    }
  },
)

describe('Google Cloud Storage', () => {
  test('a chunk that was stored in part goes on from there', async () => {
    const server = await startGcsServer()
    const proxy = await startFaultyProxy(server.endpoint)
    const backend = await gcsBackend(optionsOf(server, proxy.url), testTuning)
    // Two whole granules and a half of the second chunk of 8 MiB.
    proxy.fail({ kind: 'cut-request', after: 2.5 * partSize }, { when: /^PUT/, skip: 1, times: 1 })
    const bytes = bytesOf(20 * 1024 * 1024)
    await backend.add('key', pieces(bytes, 1024 * 1024), new AbortController().signal)
    expect((await collect(await backend.get('key'))).equals(bytes)).toBe(true)
    await proxy.close()
    await server.close()
  })
})
