import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { filePath } from '@svc/contract'
import { totalOf, verify, type Verification, type VerificationReport } from '../../src/core/verify/verify.ts'
import type { DataBackend } from '../../src/data/backend/backend.ts'
import { withService } from '../../src/composition/server.ts'
import { bytesOf } from '../support/bytes.ts'
import { expectWhole, patch } from '../resumable/tus.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { fileForm, formType } from '../support/clients/forms.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import type { TestServer } from '../support/servers/test-server.ts'
import { damage, wantedFindings, type Damage } from './damage.ts'

export interface VerifiedService {
  readonly server: TestServer
  /** A second backend on the store of the server. */
  readonly backend: DataBackend
  readonly close: () => Promise<void>
}

/** Before and after all writes to a store. */
const longAgo = manualClock(Date.UTC(2000, 0, 1))
const later = manualClock(Date.UTC(2100, 0, 1))
const repair = { olderThan: 24 * 60 * 60 * 1000, force: false }

const namesOf = ({ findings }: VerificationReport) =>
  findings.map(({ kind, file }) => `${kind} ${file}`).sort()

/** The contract of a verification for any database and store. */
export function testVerification(title: string, start: () => Promise<VerifiedService>): void {
  describe(`verification of ${title}`, () => {
    let service: VerifiedService
    let server: TestServer
    let damaged: Damage
    beforeEach(async () => {
      service = await start()
      server = service.server
      damaged = await damage(server, service.backend)
    })
    afterEach(() => service.close())

    const run = (verification: Partial<Verification> = {}, clock = later) =>
      withService(server.config, (parts) => verify(parts, { hashes: false, limit: 100, ...verification }), {
        clock,
      })
    const statusOf = async (path: string) => (await sendRequest(server.url, path)).status

    test('finds all faults and nothing else, changes nothing, and counts everything', async () => {
      const report = await run()
      expect(namesOf(report)).toEqual(wantedFindings(damaged))
      expect(report.found).toEqual({
        lost: 1,
        wrong_size: 1,
        wrong_hash: 0,
        orphaned: 3,
        unfinished: 2,
        unreadable: 0,
      })
      expect(report.left).toEqual(report.found)
      expect(report.findings.every(({ action }) => action === null)).toBe(true)
      expect([report.files, report.hashed]).toEqual([damaged.sound.length + 4, 0])
      expect(report.findings).toContainEqual(
        expect.objectContaining({ kind: 'wrong_size', expectedSize: 6, storedSize: 3, status: 'uploaded' }),
      )
      expect(namesOf(await run({ limit: 2 }))).toHaveLength(2)
      expect(await run()).toEqual(report)
      for (const { path } of [...damaged.sound, damaged.duplicates]) expect(await statusOf(path)).toBe(200)
    })

    test('compares the hashes of all bytes on request', async () => {
      const report = await run({ hashes: true })
      expect(namesOf(report)).toEqual(wantedFindings(damaged, { hashes: true }))
      expect(report.hashed).toBe(damaged.sound.length + 2)
    })

    test('ignores recent bytes, whose row may not be written yet', async () => {
      const report = await run({ repair }, longAgo)
      const young = report.findings.filter(({ action }) => action === 'too_young')
      expect(young.map(({ kind }) => kind).sort()).toEqual([
        ...['orphaned', 'orphaned', 'orphaned', 'unfinished', 'unfinished'],
      ])
      expect(totalOf(report.left)).toBe(5)
      expect(await service.backend.inventory?.inspect(damaged.unknown)).not.toBeNull()
      expect(namesOf(await run())).toHaveLength(5)
    })

    test('repairs: lost files are missing for readers, and orphans are in quarantine', async () => {
      const report = await run({ hashes: true, repair })
      expect(namesOf(report)).toEqual(wantedFindings(damaged, { hashes: true }))
      expect(totalOf(report.left)).toBe(0)
      const { lost, shrunk, changed, unknown, deleted, unfinished, duplicates, sound, removed } = damaged
      for (const { path } of [lost, shrunk, changed, removed]) expect(await statusOf(path)).toBe(404)
      for (const { path } of [...sound, duplicates]) expect(await statusOf(path)).toBe(200)
      for (const id of [unknown, deleted, unfinished])
        expect(await service.backend.inventory?.inspect(id)).toBeNull()
      expect(totalOf((await run({ hashes: true })).found)).toBe(0)
      await server.clean()
      await server.clean()
      const left = await Array.fromAsync(service.backend.inventory?.list() ?? [])
      const expected = [...sound, duplicates].map(({ file }) => file.id)
      expect(left.map(({ key }) => key)).toEqual([...expected, damaged.growing.id].sort())
    })

    test('does not disturb unfinished files: a resumable one continues, a declared one can be sent', async () => {
      await run({ repair })
      const { growing, declared } = damaged
      expect((await patch(server, growing, 1_000, bytesOf(2_000).subarray(1_000))).status).toBe(204)
      await expectWhole(server, growing, bytesOf(2_000))
      const { uploadId, fileId, uploadToken } = declared
      const sent = await sendRequest(server.url, filePath(uploadId, fileId, 'declared.txt'), {
        method: 'POST',
        headers: { 'x-uploadtoken': uploadToken, 'content-type': formType },
        body: fileForm('sent'),
      })
      expect(sent.status).toBe(200)
      expect((await sendRequest(server.url, filePath(uploadId, fileId, 'declared.txt'))).text).toBe('sent')
    })
  })
}
