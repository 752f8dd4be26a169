import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { startTestServer } from '../support/test-server.ts'

/** What the page may do, by directive. */
async function policy(downloadDomain: string): Promise<Readonly<Record<string, string>>> {
  await using cleanup = new AsyncDisposableStack()
  const webappDirectory = await mkdtemp(join(tmpdir(), 'svc-page-'))
  cleanup.defer(() => rm(webappDirectory, { recursive: true }))
  await writeFile(join(webappDirectory, 'index.html'), '<!doctype html>')
  const server = await startTestServer({ config: { webappDirectory, downloadDomain } })
  cleanup.defer(() => server.close())
  const { headers } = await ask(server.url, '/')
  const directives = String(headers['content-security-policy']).split('; ')
  return Object.fromEntries(
    directives.map((one) => [one.split(' ', 1)[0] ?? '', one.slice(one.indexOf(' ') + 1)]),
  )
}

test('the page takes scripts from its own server alone, and HTML through two doors', async () => {
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
