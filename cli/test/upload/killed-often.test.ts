import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { env } from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileBytes } from '@svc/sdk'
import { chanceOf } from '../../../server/test/support/chance.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { startCountingProxy, type CountingProxy } from '../support/counting-proxy.ts'
import { installSvc, type Svc } from '../support/svc.ts'

const mebibyte = 1024 * 1024
/** `SVC_KILLED_MIB=2048` takes half a minute on two idle cores. */
const size = Number(env['SVC_KILLED_MIB'] ?? 256) * mebibyte
/** Set a seed to repeat a run. */
const seed = Number(env['SVC_KILLED_SEED'] ?? Math.trunc(Math.random() * 1_000_000_000))
const kills = 20
/** Ends a run that hangs. 22 programs start in turn, which takes minutes on a busy machine. */
const timeout = 30 * 60_000
/** The most that a server may lose of what has arrived (docs/resumable.md#rules). */
const partBytes = 32 * mebibyte

let server: Svcd
let proxy: CountingProxy
let svc: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  proxy = await startCountingProxy(server.url)
  svc = await installSvc(proxy.url)
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, proxy.close(), svc.close()])
})

/** Writes a file whose blocks all differ, but which takes little space on the disk. */
async function writeSparse(path: string): Promise<void> {
  const file = await open(path, 'w')
  for (let at = 0; at < size; at += mebibyte) await file.write(randomBytes(16), 0, 16, at)
  await file.truncate(size)
  await file.close()
}

async function md5Of(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('md5')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}

test(
  `an upload that is killed at ${String(kills)} moments, with the seed ${String(seed)}, sends no more than a part twice each time`,
  { timeout },
  async () => {
    await writeSparse(svc.path('big.bin'))
    const chance = chanceOf(seed)
    const moments = Array.from({ length: kills }, () => chance(size - partBytes)).toSorted((a, b) => a - b)
    for (const moment of moments) {
      const running = svc.start(['-q', 'big.bin'])
      proxy.onceSent(moment, () => running.child.kill('SIGKILL'))
      expect(await running.ended).toMatchObject({ status: null, stderr: '' })
    }
    const { status, output, stderr } = await svc.run(['-q', 'big.bin'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })

    expect(proxy.parts).toHaveLength(kills + 1)
    const twice = proxy.parts.slice(1).map(({ start }, index) => (proxy.parts[index]?.end ?? 0) - start)
    for (const bytes of twice) {
      expect(bytes).toBeGreaterThanOrEqual(0)
      expect(bytes).toBeLessThanOrEqual(partBytes)
    }
    const [, id = ''] = /file\/(\w{16})/.exec(output) ?? []
    const upload = await server.client.upload(id)
    const md5 = await md5Of(createReadStream(svc.path('big.bin'), { highWaterMark: mebibyte }))
    const whole = { fileName: 'big.bin', fileSize: size, status: 'uploaded', md5 }
    expect(upload.files).toMatchObject([whole])
    const [file] = upload.files
    if (file !== undefined) expect(await md5Of(fileBytes(server.client, upload, file))).toBe(md5)
  },
)
