import { expect, test } from 'vitest'
import { expectBooksRight } from '../support/figures.ts'
import { rawConnection, requestHead } from '../support/raw-connection.ts'
import { describeTogether } from '../support/together.ts'
import { until } from '../support/until.ts'

/** Milliseconds after which another process that gives no sign of life is dead. */
const silence = 130_000

describeTogether('a server that stood still for long', (meet) => {
  test('tells who was uploading that the file is gone, which another had removed meanwhile', async () => {
    const meeting = await meet()
    const [stopped, other] = [await meeting.start(), await meeting.start()]
    const connection = await rawConnection(stopped.url)
    await connection.send(requestHead('PUT', '/half.bin', { 'content-length': 2_000_000 }))
    await connection.send(new Uint8Array(1_000_000))
    const database = await meeting.beside()
    await until('the file arrives', async () => (await database.ask('select 1 from files')).length === 1)
    other.clock.advance(silence)
    await other.clean()
    await connection.send(new Uint8Array(1_000_000))
    const { status, body } = await connection.answer()
    expect(status).toBe(404)
    expect(body.toString()).toContain('file not found')
    await other.clean()
    await expectBooksRight(database, meeting)
  })
})
