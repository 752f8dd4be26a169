import { gcsBackend } from '../../src/data/gcs.ts'
import { startGcsServer } from '../support/gcs-server.ts'
import { testDataBackend } from './contract-suite.ts'

testDataBackend('Google Cloud Storage', async () => {
  const server = await startGcsServer()
  return {
    backend: await gcsBackend({
      bucket: server.bucketName,
      prefix: 'files/',
      keyFile: '',
      endpoint: server.endpoint,
    }),
    stored: () => Promise.resolve([...server.bucket.objects.keys(), ...openSessions(server)]),
    close: () => server.close(),
  }
})

/** Ids of sessions that are neither finished nor cancelled. */
const openSessions = ({ bucket }: Awaited<ReturnType<typeof startGcsServer>>) =>
  [...bucket.sessions].filter(([, { finished }]) => finished === undefined).map(([id]) => id)
