import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { testWith } from '../../../../scripts/tests/needs.ts'
import { journeys } from '../../journeys/journeys.ts'
import { launch } from '../../support/browser.ts'
import { picture } from '../../support/samples/media.ts'
import { startServer } from '../../support/server.ts'
import { record, recordingName } from './recorder.ts'

/** The names of the chunks of a RIFF file (RFC 9649, section 2.3). */
function chunksOf(bytes: Buffer): string[] {
  const names: string[] = []
  for (let offset = 12; offset < bytes.length;) {
    names.push(bytes.toString('latin1', offset, offset + 4))
    const size = bytes.readUInt32LE(offset + 4)
    offset += 8 + size + (size % 2)
  }
  return names
}

testWith(['webp'], 'a recording is a moving picture of a journey', async () => {
  await using cleanup = new AsyncDisposableStack()
  const [server, browser, folder] = await Promise.all([
    startServer(),
    launch(),
    mkdtemp(path.join(tmpdir(), 'svc-e2e-recording-')),
  ])
  cleanup.defer(async () => {
    await Promise.all([server.stop(), browser.close(), rm(folder, { recursive: true })])
  })
  const receive = journeys.find(({ name }) => name === 'receive')
  if (!receive) throw new Error('there is no such journey')
  const file = { name: 'view.png', bytes: Buffer.from(picture) }
  const interactions = await record(
    browser,
    receive,
    { url: server.url, file },
    { colorScheme: 'dark', folder },
  )
  expect(interactions).toEqual(['Download it'])
  const chunks = chunksOf(await readFile(path.join(folder, recordingName('receive', 'dark'))))
  expect(chunks.slice(0, 2)).toEqual(['VP8X', 'ANIM'])
  expect(chunks.filter((name) => name === 'ANMF').length).toBeGreaterThan(5)
})
