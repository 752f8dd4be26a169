import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'

/** What a sender, who has configured no server, sees of files that were sent to an upload request. */
let server: Svcd
let owner: Svc
let sender: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  owner = await installSvc(server.url)
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, owner.close()])
})
beforeEach(async () => {
  sender = await installSvc()
  await writeFile(sender.path('report.pdf'), 'the report')
})
afterEach(() => sender.close())

const newRequest = async (...options: readonly string[]) =>
  (await owner.json(['request', 'new', 'Photos', ...options])) as {
    readonly id: string
    readonly url: string
  }

/** Sends the report to a new request. Returns the id of the upload. */
async function sent(...options: readonly string[]): Promise<string> {
  const { url } = await newRequest(...options)
  const { upload } = (await sender.json(['send', url, 'report.pdf'])) as { readonly upload: string }
  return upload
}

const elsewhere = 'http://127.0.0.1:9'

test('the id of an upload of this computer is enough to show it and to delete it', async () => {
  const id = await sent()
  expect(await sender.json(['info', id])).toMatchObject({ id })
  const removed = await sender.run(['rm', id])
  expect([removed.status, removed.output]).toEqual([0, `deleted upload ${id}\n`])
  expect(await sender.json(['ls'])).toEqual([])
  await expect(readFile(sender.path('.config/svc/config.json'))).rejects.toThrow('ENOENT')
})

test('the id of an upload of this computer is enough to download it', async () => {
  const id = await sent('--no-encrypt')
  expect(await sender.run(['get', id, '-o', '-'])).toMatchObject({ status: 0, output: 'the report' })
})

test('an id is one of the server that this computer sent it to, unless the command names another one', async () => {
  const id = await sent()
  const environment = { SVC_SERVER: elsewhere }
  expect(await sender.json(['info', id], { environment })).toMatchObject({ id })
  expect((await sender.run(['info', id, '--server', elsewhere])).stderr).toContain(elsewhere)
})

test('the id of a request of this computer is one of its server, unless the command names another one', async () => {
  const { id } = await newRequest()
  const environment = { SVC_SERVER: elsewhere }
  expect(await owner.json(['request', 'show', id], { environment })).toMatchObject({ id })
  expect((await owner.run(['request', 'show', id, '--server', elsewhere])).stderr).toContain(elsewhere)
})
