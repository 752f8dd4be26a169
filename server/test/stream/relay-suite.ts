import { beforeEach, describe, expect, test } from 'vitest'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import type { Svcd } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'
import {
  becomes,
  declareStream,
  expectToWork,
  openDownload,
  openSender,
  partEnd,
  partStart,
  sendWhole,
  statusOf,
  asResponse,
} from './streams.ts'

export interface Instances {
  readonly one: Svcd
  readonly other: Svcd
}

/** Two processes on one database, and streams from one to the other. */
export function testRelay(title: string, start: () => Promise<Instances>): void {
  describe(title, () => {
    let one: Svcd
    let other: Svcd
    beforeEach(async () => {
      ;({ one, other } = await start())
    })

    test.each(['forth', 'back'])(
      'bytes are sent %s, and exactly one of many recipients gets them',
      async (way) => {
        const [here, there] = way === 'forth' ? [one, other] : [other, one]
        const bytes = randomBytes(5_000_000)
        const declared = await declareStream(here, { fileSize: bytes.length })
        const sent = sendWhole(here.url, declared, bytes)
        await becomes(here, declared, 'uploading')
        expect((await sendRequest(there.url, declared.path, { method: 'HEAD' })).status).toBe(200)
        const responses = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            sendRequest(index % 2 ? here.url : there.url, declared.path),
          ),
        )
        const served = responses.filter(({ status }) => status === 200)
        expect(served.map(({ body }) => body.equals(bytes))).toEqual([true])
        const others = responses
          .filter(({ status }) => status !== 200)
          .map((response) => errorIn(response).code)
        expect(['download_in_progress', 'file_not_found']).toEqual(expect.arrayContaining(others))
        expect((await sent).status).toBe(200)
        expect(await statusOf(there, declared)).toBe('removed')
      },
    )

    const big = 40_000_000

    async function passing() {
      const declared = await declareStream(one)
      const sender = await openSender(one.url, declared, { size: big })
      await becomes(one, declared, 'uploading')
      const download = await openDownload(other.url, declared.path)
      await sender.send(partStart)
      await sender.send(randomBytes(100_000))
      expect((await download.head()).status).toBe(200)
      await download.take(1_000)
      return { declared, sender, download }
    }
    type Passing = Awaited<ReturnType<typeof passing>>

    const senderGetsError = async ({ sender }: Passing, code: string) => {
      expect(errorIn(asResponse(await sender.response())).code).toBe(code)
    }
    const downloadIsCut = async ({ download }: Passing) => {
      expect((await download.rest()).includes('\r\n0\r\n\r\n')).toBe(false)
    }

    test('a recipient that disconnects leaves the file missing, and the sender gets an error', async () => {
      const both = await passing()
      both.download.cut()
      await senderGetsError(both, 'stream_broken')
      await expectToWork(one, both.declared, { from: other })
    })

    test('a sender that disconnects cuts the download, and leaves the file missing', async () => {
      const both = await passing()
      both.sender.cut()
      await downloadIsCut(both)
      await becomes(other, both.declared, 'missing')
      await expectToWork(other, both.declared, { from: one })
    })

    test('a stream is cancelled at the instance without its sender', async () => {
      const both = await passing()
      const headers = { 'x-uploadtoken': both.declared.token }
      const cancelled = await sendRequest(other.url, both.declared.path, { method: 'DELETE', headers })
      expect(cancelled.text).toBe('ok')
      await downloadIsCut(both)
      await senderGetsError(both, 'file_not_found')
      expect(await statusOf(one, both.declared)).toBe('removed')
    })

    test('a crash of the recipient’s instance leaves the file missing at once', async () => {
      const both = await passing()
      other.kill('SIGKILL')
      await senderGetsError(both, 'stream_broken')
      expect(await statusOf(one, both.declared)).toBe('missing')
      await expectToWork(one, both.declared)
    })

    test('a crash of the sender’s instance cuts the download, and a later sender waits until it counts as dead', async () => {
      const both = await passing()
      one.kill('SIGKILL')
      await downloadIsCut(both)
      expect(await statusOf(other, both.declared)).toBe('uploading')
      const response = await sendRequest(other.url, both.declared.path)
      expect(errorIn(response)).toEqual({ status: 503, code: 'unavailable' })
      expect(errorIn(await sendWhole(other.url, both.declared, 'x')).code).toBe('file_not_missing')
    })

    test('a slow recipient slows the sender down', async () => {
      const both = await passing()
      let handed = 0
      const bytes = randomBytes(1_000_000)
      void (async () => {
        for (let sent = 0; sent < 39; sent++) {
          await both.sender.send(bytes)
          handed += bytes.length
        }
        await both.sender.send(randomBytes(big - 100_000 - 39_000_000))
        await both.sender.send(partEnd)
      })()
      let before = -1
      await until('nothing moves any more', async () => {
        const stands = handed === before
        before = handed
        await sendRequest(one.url, '/health')
        return stands && handed > 0
      })
      expect(handed).toBeLessThan(39_000_000)
      both.sender.cut()
      await downloadIsCut(both)
    })
  })
}
