import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let svc: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  svc = await installSvc(server.url)
  await writeFile(svc.path('a.txt'), 'limited')
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})

test('a file is sent for a number of downloads, and info shows how many are left', async () => {
  const sent = (await svc.json(['--downloads', '2', 'a.txt'])) as { url: string; maxDownloads: number }
  expect(sent.maxDownloads).toBe(2)
  for (const left of ['2 of 2 left', '1 of 2 left', '0 of 2 left']) {
    const { output } = await svc.run(['info', sent.url])
    expect(output).toContain('2 downloads')
    expect(output).toContain(left)
    await svc.run(['get', sent.url, '-o', '-'])
  }
  expect(await svc.json(['info', sent.url])).toMatchObject({
    maxDownloads: 2,
    files: [{ downloadsLeft: 0, status: 'removed' }],
  })
})

test('info --activity lists the downloads of an own upload', async () => {
  const { url } = (await svc.json(['a.txt'])) as { url: string }
  expect((await svc.run(['info', '--activity', url])).output).toContain('no downloads yet')
  await svc.run(['get', url, '-o', '-'])
  const { output } = await svc.run(['info', '--activity', url])
  expect(output).toMatch(/ENDED +RESULT +SENT +CLIENT +FILE\n\S+Z +whole +7 B +svc +a\.txt\n/)
  expect(await svc.json(['info', '--activity', url])).toMatchObject({
    activity: [{ bytes: 7, result: 'whole', client: 'svc' }],
  })
})

test('info --activity of an upload of others is refused', async () => {
  const upload = await server.client.createUpload()
  const { status, stderr } = await svc.run(['info', '--activity', upload.id])
  expect([status, stderr]).toEqual([1, expect.stringContaining('not allowed')])
})

test('a number replaces the one-shot setting of the profile', async () => {
  await svc.run(['config', 'oneshot', 'true'])
  expect(await svc.json(['--downloads', '3', 'a.txt'])).toMatchObject({ oneShot: false, maxDownloads: 3 })
  expect(await svc.json(['a.txt'])).toMatchObject({ oneShot: true, maxDownloads: 1 })
  await svc.run(['config', 'oneshot', '--unset'])
})

test.each(['0', '-1', '1.5', 'few', '1000001', ''])('--downloads=%s is refused', async (value) => {
  const { status, stderr } = await svc.run([`--downloads=${value}`, 'a.txt'])
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining('--downloads must be a number from 1 to 1000000'),
  ])
})

test('--downloads and --oneshot contradict each other', async () => {
  const { status, stderr } = await svc.run(['--downloads=2', '--oneshot', 'a.txt'])
  expect(status).not.toBe(0)
  expect(stderr).toContain('oneShot')
})
