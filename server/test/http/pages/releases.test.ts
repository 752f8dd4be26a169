import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sendRequest } from '../../support/clients/send-request.ts'
import { startTestServer } from '../../support/servers/test-server.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

test('release notes are found by their version, with or without a leading v, newest first', async () => {
  const changelogDirectory = await temporaryDirectory()
  const notes = { 'v0.9.0': '2026-01-01', '0.10.0': '2026-02-01', 'v1.0.0': '2026-03-01', '1.2.0': '' }
  for (const [name, date] of Object.entries(notes))
    await writeFile(join(changelogDirectory, name), `${date}\n`)
  for (const other of ['NEXT', 'v1.0', '1.0.0.orig', 'vv1.0.0'])
    await writeFile(join(changelogDirectory, other), '')
  const server = await startTestServer({ config: { changelogDirectory } })
  onTestFinished(() => server.close())
  const { releases } = await server.client.version()
  expect(releases).toEqual([
    { name: '1.2.0', date: '' },
    { name: 'v1.0.0', date: '2026-03-01' },
    { name: '0.10.0', date: '2026-02-01' },
    { name: 'v0.9.0', date: '2026-01-01' },
  ])
  for (const { name } of releases)
    expect((await sendRequest(server.url, `/changelog/${name}`)).status).toBe(200)
})
