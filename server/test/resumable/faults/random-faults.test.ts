import { env } from 'node:process'
import { expect, test } from 'vitest'
import { errorIn, type TestResponse } from '../../support/clients/send-request.ts'
import { storedFiles } from '../../support/servers/server-data.ts'
import { randomBytes } from '../../support/clients/stored-upload.ts'
import { describeCluster } from '../../support/servers/cluster.ts'
import { chanceOf } from '../../support/chance.ts'
import { until } from '../../support/until.ts'
import type { ServerWithAccounts } from '../../support/servers/server-with-accounts.ts'
import {
  begin,
  checksum,
  expectWhole,
  head,
  readListedFile,
  newTarget,
  beginPart,
  patch,
  ticking,
  tus,
} from '../tus.ts'

/** Set a seed to repeat a run. */
const seed = Number(env['SVC_WALK_SEED'] ?? Math.trunc(Math.random() * 1_000_000_000))
const walks = Number(env['SVC_WALKS'] ?? 4)
const steps = 14
/** Seconds until an unfinished file expires; much longer than a run. */
const resumableTTL = 3_600

describeCluster('a client with random faults', (newCluster) => {
  test.each(Array.from({ length: walks }, (_, n) => seed + n))(
    'with the seed %d: the stored file equals the sent one',
    async (start) => {
      const chance = chanceOf(start)
      const bytes = randomBytes([50_000, 700_000, 1_500_000][chance(3)] ?? 1)
      const cluster = await newCluster()
      const servers: ServerWithAccounts[] = [
        await cluster.start({ config: { resumableTTL } }),
        await cluster.start({ config: { resumableTTL } }),
      ]
      const any = (): ServerWithAccounts => servers[chance(servers.length)] as ServerWithAccounts
      const file = await begin(any(), await newTarget(any()), { size: bytes.length })
      /** The largest offset of any request, and the smallest offset known to be stored. */
      let most = 0
      let least = 0
      /** Whether a connection was cut: the server may read the rest of it later, between any two requests. */
      let isLeft = false
      const steadily = <Result>(work: Promise<Result>) => ticking(servers, work)
      /** Sends a request as clients do: again while another server holds the file. */
      const repeatRequest = async (request: () => Promise<TestResponse>): Promise<TestResponse> => {
        for (;;) {
          const response = await steadily(request())
          if (response.status !== 503 || response.headers['retry-after'] !== '1') return response
        }
      }

      const look = async (): Promise<number> => {
        for (;;) {
          const { status, headers } = await steadily(head(any(), file))
          // Another server may still hold the file.
          if (status === 409 || headers['retry-after'] === '1') continue
          expect(status).toBe(200)
          const offset = Number(headers['upload-offset'])
          expect(offset).toBeGreaterThanOrEqual(least)
          expect(offset).toBeLessThanOrEqual(most)
          least = offset
          return offset
        }
      }
      const partAt = (offset: number) => bytes.subarray(offset, offset + 1 + chance(bytes.length / 3))
      const send = async (server: ServerWithAccounts, offset: number, part: Uint8Array, headers = {}) => {
        most = Math.max(most, offset + part.length)
        const reply = await repeatRequest(() => patch(server, file, offset, part, headers))
        if (reply.status === 204) {
          expect(Number(reply.headers['upload-offset'])).toBe(offset + part.length)
          least = Math.max(least, offset + part.length)
        }
        return reply
      }

      const actions: readonly ((offset: number) => Promise<unknown>)[] = [
        (offset) => send(any(), offset, partAt(offset)),
        (offset) => {
          const part = partAt(offset)
          return send(any(), offset, part, { 'upload-checksum': checksum(part, 'sha256') })
        },
        async (offset) => {
          // Both the offset and the bytes are wrong: nothing of it may stay.
          const wrong = offset + 1 + chance(1_000)
          const stale = await repeatRequest(() => patch(any(), file, wrong, randomBytes(10)))
          expect(errorIn(stale)).toEqual({ status: 409, code: 'offset_mismatch' })
        },
        async (offset) => {
          const length = Math.min(1 + chance(400_000), bytes.length - offset)
          const headers = { 'upload-checksum': checksum(randomBytes(3), 'md5') }
          const wrong = await repeatRequest(() => patch(any(), file, offset, randomBytes(length), headers))
          if (isLeft && wrong.status === 409) expectOvertaken(wrong, offset, most)
          else expect(errorIn(wrong)).toEqual({ status: 460, code: 'checksum_mismatch' })
        },
        async (offset) => {
          // Cut anywhere, with or without a FIN.
          const part = partAt(offset)
          const sent = part.subarray(0, chance(part.length + 1))
          const checked = chance(2) === 0 ? { 'upload-checksum': checksum(part) } : {}
          const connection = await beginPart(any(), file, offset, part.length, checked)
          most = Math.max(most, offset + sent.length)
          isLeft = true
          await connection.send(sent)
          if (chance(2) === 0) connection.cut()
          else connection.socket.end()
        },
        async (offset) => {
          const parts = [partAt(offset), partAt(offset)]
          const responses = await Promise.all(parts.map((part) => send(any(), offset, part)))
          for (const { status } of responses) expect([204, 409]).toContain(status)
        },
        async () => {
          const index = chance(servers.length)
          await servers[index]?.close()
          servers[index] = await cluster.start({ config: { resumableTTL } })
        },
      ]
      for (let step = 0; step < steps; step += 1) {
        const offset = await look()
        if (offset === bytes.length) break
        await actions[chance(actions.length)]?.(offset)
      }
      const remove = async () => {
        const removed = await repeatRequest(() => tus(any(), file.target, 'DELETE', { path: file.path }))
        expect(removed.status).toBe(204)
      }
      const ends: readonly (() => Promise<unknown>)[] = [
        async () => {
          await completeFile(bytes, { look, send: (offset) => send(any(), offset, bytes.subarray(offset)) })
          await expectWhole(any(), file, bytes)
          await remove()
        },
        // Between two parts, or during one.
        async () => {
          const part = partAt(least)
          if (chance(2) === 0) await (await beginPart(any(), file, least, part.length)).send(part)
          await remove()
        },
        () => {
          expires = true
          return Promise.resolve()
        },
      ]
      let expires = false
      await ends[chance(ends.length)]?.()
      await until('nothing of it is left', async () => {
        // Each time again: the rest of an earlier connection renews the expiry.
        if (expires) for (const { clock } of servers) clock.advance(resumableTTL * 1000)
        await steadily(any().clean())
        const { status } = await readListedFile(any(), file)
        // An unfinished file expires; the rest of an earlier connection may have finished it.
        if (status === 'uploaded') await remove()
        return status === 'deleted'
      })
      expect((await repeatRequest(() => head(any(), file))).status).toBe(404)
      expect((await repeatRequest(() => patch(any(), file, least, bytes.subarray(0, 1)))).status).toBe(404)
      expect(storedFiles(cluster)).toEqual([])
    },
  )
})

/** The rest of an earlier connection came first: the file has grown, or is being written. */
function expectOvertaken(reply: TestResponse, offset: number, most: number): void {
  const { code } = errorIn(reply)
  if (code === 'taken_over') return
  expect(code).toBe('offset_mismatch')
  const received = Number(reply.headers['upload-offset'])
  expect(received).toBeGreaterThan(offset)
  expect(received).toBeLessThanOrEqual(most)
}

interface Sending {
  readonly look: () => Promise<number>
  readonly send: (offset: number) => Promise<unknown>
}

/** Sends the missing bytes. The rest of earlier connections may come between, a limited number of times. */
async function completeFile(bytes: Uint8Array, { look, send }: Sending): Promise<void> {
  for (let time = 0; time < 20; time += 1) {
    const offset = await look()
    if (offset === bytes.length) return
    await send(offset)
  }
  throw new Error('the file was never whole')
}
