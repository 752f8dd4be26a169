import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendRequest } from '../../support/clients/send-request.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { startTestServer } from '../../support/servers/test-server.ts'

/** The policy of the page, and of a script of it that runs as a worker, by directive. */
async function policy(downloadDomain: string, path = '/'): Promise<Readonly<Record<string, string>>> {
  await using cleanup = new AsyncDisposableStack()
  const webappDirectory = await temporaryDirectory()
  await writeFile(join(webappDirectory, 'index.html'), '<!doctype html>')
  await mkdir(join(webappDirectory, 'assets'))
  await writeFile(join(webappDirectory, 'assets', 'worker-Ab12Cd34.js'), '')
  const server = await startTestServer({ config: { webappDirectory, downloadDomain } })
  cleanup.defer(() => server.close())
  const { headers } = await sendRequest(server.url, path)
  const directives = String(headers['content-security-policy']).split('; ')
  return Object.fromEntries(
    directives.map((directive) => [
      directive.split(' ', 1)[0] ?? '',
      directive.slice(directive.indexOf(' ') + 1),
    ]),
  )
}

test('the page loads scripts from its server only, and creates HTML through two policies', async () => {
  expect(await policy('')).toMatchObject({
    'default-src': "'self'",
    'script-src': "'self'",
    'object-src': "'none'",
    'connect-src': "'self'",
    'media-src': "'self' blob:",
    'frame-src': "'self' blob:",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'dompurify vue default',
  })
})

test('the page may fetch and show files of the download domain, and run none of them', async () => {
  const domain = 'https://files.test'
  expect(await policy(domain)).toMatchObject({
    'script-src': "'self'",
    'frame-src': "'self' blob:",
    'connect-src': `'self' ${domain}`,
    'img-src': `'self' data: blob: ${domain}`,
    'media-src': `'self' blob: ${domain}`,
  })
})

test('a script is found by its exact name only', async () => {
  await using cleanup = new AsyncDisposableStack()
  const webappDirectory = await temporaryDirectory()
  await mkdir(join(webappDirectory, 'assets'))
  for (const name of ['index.html', 'assets/page-Ab12Cd34.js', 'assets/page-Ab12Cd34.js.br'])
    await writeFile(join(webappDirectory, name), name)
  const server = await startTestServer({ config: { webappDirectory } })
  cleanup.defer(() => server.close())
  const get = async (path: string, headers = {}) => {
    const { status, text } = await sendRequest(server.url, path, { headers })
    return status === 200 ? text : status
  }
  const script = '/assets/page-Ab12Cd34.js'
  expect(await get(script)).toBe('assets/page-Ab12Cd34.js')
  expect(await get(script, { 'accept-encoding': 'br' })).toBe('assets/page-Ab12Cd34.js.br')
  expect((await sendRequest(server.url, script, { method: 'HEAD' })).status).toBe(200)
  const others = ['PAGE-Ab12Cd34.js', '', 'a/b.js', '..', '%2e%2e', '..%2findex.html', 'a%00b', '%ff']
  expect(await Promise.all(others.map((name) => get(`/assets/${name}`)))).toEqual([
    ...[404, 404, 404, 400, 400, 404, 400, 400],
  ])
})

test('workers may compile a cipher, and load scripts from their server only', async () => {
  expect(await policy('', '/assets/worker-Ab12Cd34.js')).toMatchObject({
    'default-src': "'self'",
    'script-src': "'self' 'wasm-unsafe-eval'",
    'require-trusted-types-for': "'script'",
  })
})

test('a page that is installed below a folder named assets is neither cached nor allowed to compile WebAssembly', async () => {
  await using cleanup = new AsyncDisposableStack()
  const webappDirectory = join(await temporaryDirectory(), 'assets', 'webapp')
  await mkdir(join(webappDirectory, 'assets'), { recursive: true })
  for (const name of ['index.html', 'assets/page-Ab12Cd34.js'])
    await writeFile(join(webappDirectory, name), name)
  const server = await startTestServer({ config: { webappDirectory } })
  cleanup.defer(() => server.close())
  const page = await sendRequest(server.url, '/')
  expect(page.headers['cache-control']).toBe('no-cache')
  expect(page.headers['content-security-policy']).not.toContain('wasm-unsafe-eval')
  const script = await sendRequest(server.url, '/assets/page-Ab12Cd34.js')
  expect(script.headers['cache-control']).toContain('immutable')
})

test('where the files of the page are deleted after the start, its address is not found', async () => {
  await using cleanup = new AsyncDisposableStack()
  const webappDirectory = await temporaryDirectory()
  const index = join(webappDirectory, 'index.html')
  await writeFile(index, '<!doctype html>')
  const server = await startTestServer({ config: { webappDirectory } })
  cleanup.defer(() => server.close())
  expect((await sendRequest(server.url, '/')).status).toBe(200)
  await rm(index)
  expect((await sendRequest(server.url, '/')).status).toBe(404)
  expect((await sendRequest(server.url, '/', { method: 'DELETE' })).status).toBe(405)
})
