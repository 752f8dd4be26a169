import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let svc: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  svc = await installSvc()
  await writeFile(svc.path('a.txt'), 'a')
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})

test('uploads of this client can be listed and removed', async () => {
  const environment = { SVC_SERVER: server.url }
  const { id, url } = (await svc.json(['a.txt'], { environment })) as { id: string; url: string }
  expect(await svc.json(['ls'])).toMatchObject([{ id, url, files: 1, size: 1, names: ['a.txt'] }])
  expect((await svc.run(['info', url])).output).toContain('a.txt')
  expect(await svc.run(['rm', url])).toMatchObject({ status: 0 })
  await expect(server.client.upload(id)).rejects.toMatchObject({ status: 404 })
  expect(await svc.json(['ls'])).toEqual([])
})
