import { beforeEach, describe, expect, test } from 'vitest'
import type { DownloadRecord } from '../../../src/domain/records.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { json } from '../command-line.ts'
import { exportFrom, importInto, linesOf } from './exporting.ts'
import { fillDatabase, inDatabase, numbered } from './filled-database.ts'
import { userRecord } from '../records.ts'

let directory: string
let other: string
beforeEach(async () => {
  directory = await emptyDirectory()
  other = await emptyDirectory()
})

describe('notifications', () => {
  test('are exported with their secrets, and neither with deliveries nor with open streams', async () => {
    await fillDatabase(directory)
    await importInto(other, await exportFrom(directory))
    const rows = await inDatabase(other, async (store) => ({
      hooks: await store.webhooks.list('local:bob', 10),
      settings: await store.notificationSettings.find('local:bob'),
      messages: await store.outbox.countTo(numbered('H', 1), 10),
    }))
    expect(rows).toMatchObject({
      hooks: [{ secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, previousUntil: 9_000 }],
      settings: { verifiedEmail: 'bob@mail.example', language: 'de', listeningUntil: 0 },
      messages: 0,
    })
    const merged = await json(other, ['import', '-', '--merge'], { input: await exportFrom(directory) })
    expect(merged).toMatchObject({ added: { webhook: 0 }, skipped: { webhook: 2, notification: 1 } })
  })
})

describe('aliases', () => {
  const rowsOf = (place: string) =>
    lookUp({ directory: place }, 'select json_array(alias, uploadId, heldUntil) from aliases order by alias')

  test('go along, also those that are reserved, and existing ones are kept', async () => {
    await fillDatabase(directory)
    await importInto(other, await exportFrom(directory))
    expect(rowsOf(other)).toEqual(rowsOf(directory))
    expect(rowsOf(other)).toEqual([
      '["holiday","A000000000000001",null]',
      `["old-holiday","A000000000000001",${String(1_000 + 30 * 86_400_000)}]`,
    ])
    const merged = await json(other, ['import', '-', '--merge'], { input: await exportFrom(directory) })
    expect(merged).toMatchObject({ added: { alias: 0 }, skipped: { alias: 2 } })
  })

  test('of another form are refused', async () => {
    await fillDatabase(directory)
    const text = (await exportFrom(directory)).replace('"alias":"holiday"', '"alias":"../holiday"')
    const { status, stderr } = await importInto(other, text)
    expect([status, stderr]).toEqual([1, expect.stringContaining('alias has an invalid format')])
  })
})

describe('previews', () => {
  const rowsOf = (place: string) =>
    lookUp({ directory: place }, 'select json_array(fileId, uploadId, hex(content)) from previews')
  const fill = async () => {
    await fillDatabase(directory)
    await inDatabase(directory, async (store) => {
      const file = { id: numbered('z', 1), uploadId: numbered('A', 1) }
      await store.files.addPreview(file)
      const content = Uint8Array.from({ length: 32_768 }, (_, index) => index & 255)
      await store.previews.insert({ fileId: file.id, uploadId: file.uploadId, content })
    })
  }

  test('go along unchanged, and existing ones are kept', async () => {
    await fill()
    await importInto(other, await exportFrom(directory))
    expect(rowsOf(other)).toEqual(rowsOf(directory))
    expect(lookUp({ directory: other }, 'select id from files where preview = 1')).toEqual([numbered('z', 1)])
    const merged = await json(other, ['import', '-', '--merge'], { input: await exportFrom(directory) })
    expect(merged).toMatchObject({ added: { preview: 0 }, skipped: { preview: 1 } })
  })

  test.each([
    ['of a file that does not exist', /"fileId":"\w{16}"/, '"fileId":"unknown000000000"', 'does not exist'],
    ['that are longer than the limit', /"content":"/, `"content":"${'A'.repeat(4)}`, 'content'],
    ['that are not base64', /"content":".{4}/, '"content":"<im>', 'content has an invalid format'],
  ])('%s are refused', async (_name, part, replacement, message) => {
    await fill()
    const text = (await exportFrom(directory)).replace(part, replacement)
    const { status, stderr } = await importInto(other, text)
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)])
  })
})

describe('downloads', () => {
  const rowsOf = (place: string) =>
    lookUp(
      { directory: place },
      'select json_array(uploadId, endedAt, id, fileId, bytes, result, client, address) from downloads order by uploadId, endedAt, id',
    )
  const download = (number: number, fields: Partial<DownloadRecord> = {}): DownloadRecord => ({
    uploadId: numbered('A', 1),
    // Several end at the same time.
    endedAt: 1_000 + Math.floor(number / 3),
    id: numbered('d', number),
    fileId: numbered('z', 1),
    bytes: 5,
    result: 'whole',
    client: 'curl',
    address: null,
    ...fields,
  })
  const fill = async () => {
    await fillDatabase(directory)
    await inDatabase(directory, async (store) => {
      await store.downloads.add(Array.from({ length: 1_100 }, (_, number) => download(number)))
      const archive = { fileId: null, result: 'broken', client: 'browser', address: '192.0.2.7' } as const
      await store.downloads.add([download(2_000, { uploadId: numbered('B', 2), ...archive })])
    })
  }

  test('go along unchanged, and existing ones are kept', async () => {
    await fill()
    const text = await exportFrom(directory)
    expect((await importInto(other, text)).output).toContain('2 aliases, 1101 downloads, 2 webhooks')
    expect(rowsOf(other)).toEqual(rowsOf(directory))
    expect(rowsOf(other)).toHaveLength(1_101)
    expect(await exportFrom(other)).toBe(text)
    const merged = await json(other, ['import', '-', '--merge'], { input: text })
    expect(merged).toMatchObject({ added: { download: 0 }, skipped: { download: 1_101 } })
    expect(rowsOf(other)).toHaveLength(1_101)
  })

  test('of a blanked upload are left out, like the upload', async () => {
    await fill()
    await inDatabase(directory, (store) => store.uploadBatches.blank([numbered('A', 1)], 5_000))
    const lines = linesOf(await exportFrom(directory)).filter(({ kind }) => kind === 'download')
    expect(lines).toHaveLength(1)
  })

  test.each([
    [
      'of an upload that does not exist',
      /("kind":"download","uploadId":)"\w{16}"/,
      '$1"unknown000000000"',
      'the upload unknown000000000 does not exist',
    ],
    ['with another result', /"result":"whole"/, '"result":"half"', 'result'],
    ['with more bytes than a number counts', /"bytes":5/, '"bytes":1e300', 'bytes'],
  ])('%s are refused', async (_name, part, replacement, message) => {
    await fill()
    const text = (await exportFrom(directory)).replace(part, replacement)
    const { status, stderr } = await importInto(other, text)
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)])
  })
})

describe('daily stats', () => {
  /** More than a batch of an export. */
  const expected = Array.from({ length: 60 }, (_, index) =>
    [
      'bytesIn',
      'downloads',
      'files',
      'option:e2ee',
      'size:100000',
      'size:more',
      'ttl:more',
      'uploads',
      'x',
    ].map((name, place) => ({
      day: `2026-${String(10 + (index % 3))}-${String(10 + Math.floor(index / 3))}`,
      name,
      value: index * 10 + place + 1,
    })),
  ).flat()
  const rowsOf = (place: string) =>
    lookUp({ directory: place }, 'select json_array(day, name, value) from "dailyFigures" order by day, name')

  test('go along, by day and name', async () => {
    await inDatabase(directory, (store) => store.dailyStats.add(expected))
    const text = await exportFrom(directory)
    const lines = linesOf(text)
    expect(lines[1]).toEqual({ kind: 'figure', day: '2026-10-10', name: 'bytesIn', value: 1 })
    expect((await importInto(other, text)).output).toContain('0 files, 540 daily stats')
    expect(rowsOf(other)).toEqual(rowsOf(directory))
    expect(rowsOf(other)).toHaveLength(540)
  })

  test('that are there already are kept', async () => {
    await inDatabase(directory, (store) => store.dailyStats.add(expected))
    await inDatabase(other, (store) =>
      store.dailyStats.add([{ day: '2026-10-10', name: 'uploads', value: 999 }]),
    )
    const text = await exportFrom(directory)
    expect((await importInto(other, text)).stderr).toMatch(/^line \d+: the daily stat already exists$/)
    expect((await importInto(other, text, '--merge')).status).toBe(0)
    expect(rowsOf(other)).toHaveLength(540)
    expect(rowsOf(other).filter((row) => String(row).includes('999'))).toEqual([
      '["2026-10-10","uploads",999]',
    ])
  })

  test('belong at the end of an export', async () => {
    await inDatabase(directory, (store) => store.dailyStats.add(expected.slice(0, 1)))
    const [header = '', counter = ''] = (await exportFrom(directory)).split('\n')
    const { usedSize, generation, removedAt, ...fields } = userRecord('bob')
    expect([usedSize, generation, removedAt]).toEqual([0, 0, null])
    const user = JSON.stringify({ kind: 'user', ...fields })
    const { status, stderr } = await importInto(other, [header, counter, user, ''].join('\n'))
    expect([status, stderr]).toEqual([
      1,
      'line 3: the order is users, tokens, upload requests, uploads with their files, previews, aliases, downloads, daily stats, webhooks, and settings of notifications',
    ])
  })
})
