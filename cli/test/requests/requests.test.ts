import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let owner: Svc
let sender: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  owner = await installSvc(server.url)
  sender = await installSvc()
  await writeFile(sender.path('report.pdf'), 'the report')
  await mkdir(sender.path('photos'))
  await writeFile(sender.path('photos/zoë.jpg'), 'a photo')
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, owner.close(), sender.close()])
})

const newRequest = async (...options: readonly string[]) =>
  (await owner.json(['request', 'new', 'Photos', ...options])) as {
    readonly id: string
    readonly url: string
    readonly requestToken: string
    readonly identityFile?: string
  }

test('files are sent encrypted, with their names, and fetched decrypted', async () => {
  const { id, url, identityFile = '' } = await newRequest()
  expect(url).toMatch(new RegExp(`^${server.url}/#/request\\?id=${id}&key=[\\w-]{43}$`))
  expect((await stat(identityFile)).mode & 0o777).toBe(0o600)
  const sent = await sender.run(['send', url, 'report.pdf', 'photos', '--sender', 'Ada'])
  expect([sent.status, sent.stderr]).toEqual([0, expect.any(String)])
  expect(sent.output).toContain('report.pdf')
  // The server has neither names nor contents.
  const [record] = (await readFile(owner.path('.local/state/svc/requests.jsonl'), 'utf8'))
    .split('\n')
    .slice(-2)
  const { requestToken } = JSON.parse(record ?? '') as { requestToken: string }
  const { results } = await server.client.receivedUploads(id, {}, { requestToken })
  expect(JSON.stringify(results)).not.toMatch(/report|photos|zoë/)
  expect(results[0]).toMatchObject({ e2ee: 'age', sender: 'Ada' })
  const got = await owner.run(['request', 'get', id, '-o', 'inbox'])
  expect([got.status, got.stderr]).toEqual([0, expect.any(String)])
  const [folder = ''] = await readdir(owner.path('inbox'))
  expect(folder).toMatch(/^Ada [0-9A-Za-z]{16}$/)
  expect(await readFile(owner.path(`inbox/${folder}/report.pdf`), 'utf8')).toBe('the report')
  expect(await readFile(owner.path(`inbox/${folder}/photos/zoë.jpg`), 'utf8')).toBe('a photo')
  const again = await owner.run(['request', 'get', id, '-o', 'inbox'])
  expect([again.status, again.stderr]).toEqual([0, expect.stringContaining('no new files')])
})

test('age opens what came, with the key that svc shows', async () => {
  const { id, url } = await newRequest()
  await sender.run(['send', url, 'report.pdf'])
  await writeFile(owner.path('key.txt'), (await owner.run(['request', 'show', id, '--key'])).output, {
    mode: 0o600,
  })
  const got = await owner.run(['request', 'get', id, '-o', 'sealed', '--no-encrypt'])
  expect(got.status).toBe(0)
  const [folder = ''] = await readdir(owner.path('sealed'))
  const [name = ''] = await readdir(owner.path(`sealed/${folder}`))
  const decrypted = await promisify(execFile)('age', [
    '-d',
    '-i',
    owner.path('key.txt'),
    owner.path(`sealed/${folder}/${name}`),
  ])
  expect(decrypted.stdout).toBe('the report')
})

test('a server that names another key is noticed before a byte is sent', async () => {
  const { id, url } = await newRequest()
  const { url: otherURL } = await newRequest()
  const swapped = url.replace(/key=.*/, otherURL.slice(otherURL.indexOf('key=')))
  const { status, stderr } = await sender.run(['send', swapped, 'report.pdf'])
  expect([status, stderr]).toEqual([
    6,
    expect.stringContaining('NOTHING WAS SENT: the server names another key'),
  ])
  expect(await owner.json(['request', 'show', id])).toMatchObject({ uploads: 0 })
})

test('a server that no longer asks for encryption is noticed', async () => {
  const { url } = await newRequest()
  const target = new URL(server.url)
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    incoming.pipe(
      httpRequest({ host: target.hostname, port: target.port, method, path, headers }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => {
          const text = Buffer.concat(parts)
            .toString()
            .replace(/"recipient":"[^"]*"/, '"recipient":""')
          outgoing.writeHead(response.statusCode ?? 500, { 'content-type': 'application/json' }).end(text)
        })
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const through = url.replace(target.host, `127.0.0.1:${String(port)}`)
  const { status, stderr } = await sender.run(['send', through, 'report.pdf'])
  proxy.closeAllConnections()
  proxy.close()
  expect([status, stderr]).toEqual([6, expect.stringContaining('NOTHING WAS SENT')])
})

test('what the request does not accept is refused before the server is asked', async () => {
  const { url } = await newRequest('--extensions', 'jpg', '--max-file-size', '5')
  const wrong = await sender.run(['send', url, 'report.pdf'])
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('.jpg')])
  const big = await sender.run(['send', url, 'photos'])
  expect([big.status, big.stderr]).toEqual([2, expect.stringContaining('up to')])
})

test('requests are listed, closed, opened and deleted', async () => {
  const { id, url } = await newRequest('--no-encrypt', '--max-files', '2')
  expect(url).not.toContain('key=')
  await sender.run(['send', url, 'report.pdf'])
  const { output } = await owner.run(['request', 'ls'])
  expect(output).toMatch(/^TITLE .*LINK$/m)
  expect(output).toMatch(new RegExp(`^Photos +open +1 +1 .* http\\S+id=${id}$`, 'm'))
  expect((await owner.run(['request', 'close', url])).output).toContain('closed')
  const refused = await sender.run(['send', url, 'report.pdf'])
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('closed')])
  await owner.run(['request', 'open', url])
  const shown = (await owner.run(['request', 'show', id])).output
  expect(shown).toMatch(/most files +2/)
  expect(shown).toMatch(/received +1 upload, 1 file, 10 B/)
  const removed = await owner.run(['request', 'rm', url])
  expect(removed.status).toBe(0)
  expect((await owner.run(['request', 'ls'])).output).not.toContain(id)
  expect((await sender.run(['send', url, 'report.pdf'])).stderr).toContain('not found')
})

test('the largest file is that of the request or that of the server, and a new lifetime is shown as it was given', async () => {
  const limited = await startSvcd(await emptyDirectory(), { MAX_FILE_SIZE_STR: '2MB' })
  try {
    const options = ['--server', limited.url]
    const shown = async (...more: readonly string[]) => {
      const { id } = (await owner.json([
        'request',
        'new',
        'Photos',
        '--ttl',
        '14d',
        ...more,
        ...options,
      ])) as {
        readonly id: string
      }
      return (await owner.run(['request', 'show', id, ...options])).output
    }
    expect(await shown()).toMatch(/^largest file +2\.00 MB \(limit of the server\)$/m)
    expect(await shown('--max-file-size', '5M')).toMatch(/^largest file +2\.00 MB \(limit of the server\)$/m)
    expect(await shown('--max-file-size', '1M')).toMatch(/^largest file +1\.00 MB$/m)
    expect(await shown()).toMatch(/^ends +in 2w \(/m)
  } finally {
    limited.kill('SIGKILL')
    await limited.ended
  }
})

test('get --watch brings what comes', async () => {
  const { id, url } = await newRequest('--password', 'secret word')
  const watching = owner.start(['request', 'get', id, '--watch', '-o', 'watched'])
  await until('svc waits', () => watching.stderr().includes('waiting for files'))
  const sent = await sender.run(['send', url, 'report.pdf'], { environment: { SVC_PASSWORD: 'secret word' } })
  expect(sent.status).toBe(0)
  await until('the file has come', () => watching.output().includes('report.pdf'))
  watching.child.kill('SIGINT')
  expect((await watching.ended).status).toBe(130)
  const [folder = ''] = await readdir(owner.path('watched'))
  expect(await readFile(owner.path(`watched/${folder}/report.pdf`), 'utf8')).toBe('the report')
})
