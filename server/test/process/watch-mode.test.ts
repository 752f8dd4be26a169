import { expect, test } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { emptyDirectory, startSvcd } from '../support/servers/svcd.ts'

test('a small file is stored while Node watches the sources, as with npm run dev', async () => {
  // `node --watch` sets this for its child: threads then report their imports to the listeners of their messages.
  const server = await startSvcd(await emptyDirectory(), {}, { WATCH_REPORT_DEPENDENCIES: '1' })
  const stored = await sendRequest(server.url, '/small.txt', { method: 'PUT', body: 'content' })
  expect(stored.status).toBe(200)
  server.kill('SIGTERM')
  expect((await server.ended).status).toBe(0)
})
