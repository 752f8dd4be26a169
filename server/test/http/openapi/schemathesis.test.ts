import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { cookies } from '@svc/contract'
import { testUnless } from '../../../../scripts/tests/needs.ts'
import { schemathesis, schemathesisSkipReason } from '../../../../scripts/tests/schemathesis.ts'
import { accountsConfig, createUser, root, signIn, type SignedIn } from '../../support/clients/accounts.ts'
import { jsonIn, sendRequest } from '../../support/clients/send-request.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

const run = promisify(execFile)

/** The session of an admin, things of this admin to test with, and another user, as variables of `settings.toml`. */
async function settingsFor(server: TestServer, admin: SignedIn): Promise<Readonly<Record<string, string>>> {
  const { cookie, xsrf, headers } = admin
  const create = async (path: string, body: object) => {
    const options = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
    const created = await sendRequest(server.url, path, { ...options, body: JSON.stringify(body) })
    return jsonIn(created) as { readonly id: string; readonly files?: readonly { readonly id: string }[] }
  }
  const { id, files } = await create('/upload', { files: [{ fileName: 'file.zip' }] })
  const request = await create('/requests', { title: 'Photos' })
  const webhook = await create('/me/webhooks', {
    url: 'https://hook.example',
    events: ['upload.downloaded'],
  })
  const { id: userID } = await createUser(server, admin, { login: 'changed' })
  const session = cookie.split('; ').find((pair) => pair.startsWith(`${cookies.session}=`))
  return {
    SVC_HOOKS: join(import.meta.dirname, 'schemathesis/hooks.py'),
    SVC_SESSION: session?.slice(cookies.session.length + 1) ?? '',
    SVC_XSRF: xsrf,
    SVC_UPLOAD: id,
    SVC_FILE: files?.[0]?.id ?? '',
    SVC_REQUEST: request.id,
    SVC_WEBHOOK: webhook.id,
    SVC_USER: userID,
  }
}

/**
 * Tests all operations.
 * @returns the report
 * @throws the report, when the server does not do what its description says
 */
async function testOperations(server: TestServer, admin: SignedIn): Promise<string> {
  const settings = join(import.meta.dirname, 'schemathesis/settings.toml')
  const args = ['--config-file', settings, '--no-color', 'run', `${server.url}/openapi.json`]
  const options = {
    env: { ...env, ...(await settingsFor(server, admin)) },
    cwd: await temporaryDirectory(),
    maxBuffer: 2 ** 26,
  }
  const { stdout } = await run(schemathesis, args, options).catch((error: unknown) => {
    throw new Error((error as { readonly stdout: string }).stdout, { cause: error })
  })
  return stdout
}

testUnless(schemathesisSkipReason, 'the server does what its OpenAPI description says', async () => {
  const server = await startTestServer({
    config: { accounts: accountsConfig },
    // The response to a stream waits for its recipient.
    features: {
      feature_authentication: 'enabled',
      feature_extend_ttl: 'enabled',
      feature_stream: 'disabled',
    },
  })
  try {
    const admin = await signIn(server, root)
    const report = await testOperations(server, admin)
    const tested = Number(/Tested: (\d+)/.exec(report)?.[1])
    expect(tested).toBeGreaterThan(80)
    // Without its session, most operations would only have been refused.
    expect((await sendRequest(server.url, '/me', { headers: admin.headers })).status).toBe(200)
  } finally {
    await server.close()
  }
})
