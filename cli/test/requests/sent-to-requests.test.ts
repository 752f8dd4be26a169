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
  await sender.run(['config', 'server', elsewhere])
  expect(await sender.json(['info', id])).toMatchObject({ id })
  const environment = { SVC_SERVER: elsewhere }
  expect((await sender.run(['info', id], { environment })).stderr).toContain(elsewhere)
  expect((await sender.run(['info', id, '--server', elsewhere])).stderr).toContain(elsewhere)
})

test('the id of a request of this computer is one of its server, unless the command names another one', async () => {
  const { id } = await newRequest()
  expect(await owner.json(['request', 'show', id], { environment: { SVC_SERVER: '' } })).toMatchObject({ id })
  expect((await owner.run(['request', 'show', id, '--server', elsewhere])).stderr).toContain(elsewhere)
})

const encryptedName = /[\w-]{200}/

test('the sender sees the names of encrypted files, and others a short text', async () => {
  const id = await sent()
  const { output } = await sender.run(['info', id])
  expect(output).toMatch(/ report\.pdf$/m)
  expect(output).not.toMatch(encryptedName)
  expect(await sender.json(['info', id])).toMatchObject({
    files: [{ fileName: expect.stringMatching(encryptedName) as string, localName: 'report.pdf' }],
  })
  const history = await readFile(sender.path('.local/state/svc/uploads.jsonl'), 'utf8')
  const { uploadToken } = JSON.parse(history.trim().split('\n').at(-1) ?? '') as {
    readonly uploadToken: string
  }
  const link = `${server.url}/#/?id=${id}&uploadToken=${uploadToken}`
  expect((await owner.run(['info', link])).output).toMatch(/ \(encrypted name\)$/m)
})

test('svc rm names an encrypted file as the sender knows it', async () => {
  const id = await sent()
  const { files } = (await sender.json(['info', id])) as { files: { id: string; fileName: string }[] }
  const [{ id: fileID, fileName } = { id: '', fileName: '' }] = files
  const { output } = await sender.run(['rm', `${server.url}/file/${id}/${fileID}/${fileName}`])
  expect(output).toBe('deleted report.pdf\n')
})

test('the receipt of encrypted files says so, and sizes are those of the files here', async () => {
  const { url } = await newRequest()
  const { output, stderr } = await sender.run(['send', url, 'report.pdf'])
  expect(output).toContain('sizes and hashes are those of the encrypted files')
  expect(stderr).toContain('sent report.pdf (10 B)')
  const piped = await sender.run(['send', url, '-', '-n', 'piped.txt'], { input: 'the input' })
  expect(piped.stderr).toContain('sent piped.txt (9 B)')
  expect(await sender.json(['ls'])).toMatchObject([{ size: 9 }, { size: 10 }])
  const { url: plain } = await newRequest('--no-encrypt')
  const receipt = (await sender.run(['send', plain, 'report.pdf'])).output
  expect(receipt).toMatch(/^10 B +[\da-f]{32} +report\.pdf$/m)
  expect(receipt).not.toContain('encrypted')
})

test('other encrypted uploads have the sizes of the files here, too', async () => {
  const environment = { SVC_SERVER: server.url }
  const { stderr } = await sender.run(['report.pdf', '--encrypt'], { environment })
  expect(stderr).toContain('sent report.pdf (10 B)')
  expect(await sender.json(['ls'])).toMatchObject([{ size: 10 }])
})

test.each(['info', 'get', 'rm', 'open', 'resume'])(
  'svc %s with the link of a request names the commands for requests',
  async (command) => {
    const { url } = await newRequest()
    const { status, stderr } = await sender.run([command, url])
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/is the link of an upload request.*svc send LINK FILE….*svc request show LINK/),
    ])
  },
)

test('commands for requests say of the link of an upload what it is', async () => {
  const link = `${server.url}/#/?id=${await sent()}`
  const { status, stderr } = await sender.run(['send', link, 'report.pdf'])
  expect([status, stderr]).toEqual([2, expect.stringMatching(/is the link of an upload: svc get LINK/)])
})

test('-q prints the id alone, which takes the upload back', async () => {
  const { url } = await newRequest()
  const { output, stderr } = await sender.run(['send', '-q', url, 'report.pdf'])
  expect([output, stderr]).toEqual([expect.stringMatching(/^[0-9A-Za-z]{16}\n$/), ''])
  expect(await sender.run(['rm', output.trim()])).toMatchObject({ status: 0 })
})
