import { describe, expect, test } from 'vitest'
import { gcsBackend } from '../../src/data/gcs.ts'
import { pieceMemory } from '../../src/data/piece-memory.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { startGcsServer, type GcsServer } from '../support/gcs-server.ts'
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
const stored = ({ bucket }: GcsServer) => {
  const unfinished = [...bucket.sessions].filter(([, { finished }]) => finished === undefined)
  return [...bucket.objects.keys(), ...unfinished.map(([id]) => id)]
}

testDataBackend('Google Cloud Storage', async () => {
  const server = await startGcsServer()
  return {
    backend: await gcsBackend(optionsOf(server, server.endpoint)),
    stored: () => Promise.resolve(stored(server)),
    close: () => server.close(),
  }
})

const isUpload = (path: string) => path.startsWith('/upload/')
/** As for an upload when there is no memory left: the smallest parts there are. */
const partSize = 256 * 1024

testNetworkStore(
  'Google Cloud Storage',
  {
    partSize,
    isWrite: (method, path) => isUpload(path) && method !== 'DELETE',
    isRead: (method, path) => method === 'GET' && path.includes('alt=media'),
  },
  async () => {
    const server = await startGcsServer()
    const proxy = await startFaultProxy(server.endpoint)
    return {
      backend: await gcsBackend(optionsOf(server, proxy.url), { ...testTuning, memory: pieceMemory(0) }),
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
    const proxy = await startFaultProxy(server.endpoint)
    const backend = await gcsBackend(optionsOf(server, proxy.url), testTuning)
    // Two whole granules and a half of the second chunk of 8 MiB.
    const isSecond = (method: string) =>
      method === 'PUT' && proxy.requests.filter((line) => line.startsWith('PUT')).length === 2
    proxy.plan({ kind: 'cut request', after: 2.5 * partSize }, isSecond)
    const bytes = bytesOf(20 * 1024 * 1024)
    await backend.add('key', pieces(bytes, 1024 * 1024), new AbortController().signal)
    expect((await collect(await backend.get('key'))).equals(bytes)).toBe(true)
    await proxy.close()
    await server.close()
  })
})
