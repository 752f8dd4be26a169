import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
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

test('an upload that cannot be written to the history can be deleted with the printed link', async () => {
  const environment = { SVC_SERVER: server.url, XDG_STATE_HOME: svc.path('state') }
  const history = svc.path('state/svc/uploads.jsonl')
  await mkdir(history, { recursive: true })
  const sent = await svc.run(['a.txt', '--quiet'], { environment })
  expect(sent).toMatchObject({ status: 0 })
  expect(sent.stderr).toContain('uploads.jsonl cannot be written: is a folder; svc ls will not show')
  const [, link = ''] = /To delete it: svc rm '?(\S+?)'?$/m.exec(sent.stderr) ?? []
  const listed = await svc.run(['ls'], { environment })
  expect(listed).toMatchObject({ status: 5 })
  expect(listed.stderr).toContain('uploads.jsonl cannot be read: is a folder')
  expect((await svc.run(['doctor'], { environment })).output).toMatch(
    /^warn {2}history: .*uploads\.jsonl.*is a folder; uploads can be neither resumed nor deleted$/m,
  )
  expect(await svc.run(['rm', link], { environment })).toMatchObject({ status: 0 })
  await rm(history, { recursive: true })
})

test('a history on a full disk is reported', async () => {
  const environment = { SVC_SERVER: server.url, XDG_STATE_HOME: svc.path('full') }
  await mkdir(svc.path('full/svc'), { recursive: true })
  await symlink('/dev/full', svc.path('full/svc/uploads.jsonl'))
  const sent = await svc.run(['a.txt'], { environment })
  expect(sent.stderr.match(/uploads\.jsonl cannot be written: the disk is full/g)).toHaveLength(1)
  expect((await svc.run(['doctor'], { environment })).output).toMatch(/^warn {2}history: .*not a file/m)
})

test('a file is received although the history cannot be read', async () => {
  const environment = { SVC_SERVER: server.url, XDG_STATE_HOME: svc.path('broken') }
  const link = (await server.client.quickUpload(new Blob(['a']), { fileName: 'a' })).url
  await mkdir(svc.path('broken/svc/uploads.jsonl'), { recursive: true })
  const got = await svc.run(['get', link, '-o', 'back'], { environment })
  expect(got).toMatchObject({ status: 0 })
  expect(await readFile(svc.path('back'), 'utf8')).toBe('a')
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

test('an upload whose last file is deleted is not listed', async () => {
  const environment = { SVC_SERVER: server.url }
  await writeFile(svc.path('b.txt'), 'b')
  const { files } = (await svc.json(['a.txt', 'b.txt'], { environment })) as {
    readonly files: readonly { readonly url: string }[]
  }
  const [first, second] = files
  await svc.run(['rm', first?.url ?? ''])
  expect(await svc.json(['ls'])).toHaveLength(1)
  await svc.run(['rm', second?.url ?? ''])
  expect(await svc.json(['ls'])).toEqual([])
})
