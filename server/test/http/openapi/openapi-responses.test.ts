import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accountsConfig,
  createUser,
  createUserToken,
  root,
  signIn,
  type SignedIn,
} from '../../support/clients/accounts.ts'
import { sendRequest, jsonIn } from '../../support/clients/send-request.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { becomes, declareStream, sendWhole } from '../../stream/streams.ts'
import type { Config } from '../../../src/config/config.ts'
import { defaultConfig } from '../../../src/config/load.ts'
import { emailConfirmations } from '../../../src/auth/email-confirmation.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { until } from '../../support/until.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { documentOf, operationsOf, type Document } from './openapi-document.ts'

/** A mail server that is not there: a response does not wait for it. */
const notifications: Config['notifications'] = {
  ...defaultConfig('/').notifications,
  linkMail: { addressesPerDay: 10 },
  mail: { server: 'smtp://127.0.0.1:9', tls: 'none', ca: '', from: 'svc@svc.example' },
}

let server: TestServer
let document: Document
beforeAll(async () => {
  server = await startTestServer({
    features: { feature_authentication: 'enabled', feature_mail: 'enabled' },
    config: { accounts: accountsConfig, notifications },
  })
  document = await documentOf(server)
})
afterAll(() => server.close())

describe('JSON responses match their description, without additional fields', () => {
  const strict = (schema: object): object =>
    JSON.parse(JSON.stringify(schema), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
        ? { ...value, additionalProperties: false }
        : value,
    ) as object

  const compared = new Set<string>()

  /** @param name name of the operation */
  function expectDescribed(name: string, value: unknown, status = '200'): void {
    if (status === '200') compared.add(name)
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    ajv.addFormat('date-time', (text: string) => new Date(text).toISOString() === text)
    ajv.addFormat('date', (text: string) => new Date(text).toISOString() === `${text}T00:00:00.000Z`)
    ajv.addSchema({ $id: 'api', components: { schemas: strict(document.components.schemas) } })
    const operation = operationsOf(document).find(
      ({ operation }) => operation.operationId === name,
    )?.operation
    const schema = operation?.responses[status]?.content?.['application/json']?.schema
    expect(schema).toBeDefined()
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object
    const validate = ajv.compile(strict(absolute))
    validate(value)
    expect([name, validate.errors]).toEqual([name, null])
  }

  test('configuration and version', async () => {
    expectDescribed('getConfiguration', jsonIn(await sendRequest(server.url, '/config')))
    expectDescribed('getVersion', jsonIn(await sendRequest(server.url, '/version')))
    expectDescribed('getShareX', jsonIn(await sendRequest(server.url, '/clients/sharex.sxcu')))
  })

  test('an upload after its creation and in a later request, with files of every kind', async () => {
    const options = {
      files: [{ reference: 'r', fileName: 'a/b', fileSize: 3 }],
      comments: 'c',
      ttl: 60,
      password: 'p',
    }
    const created = await sendRequest(server.url, '/upload', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(options),
    })
    expectDescribed('createUpload', jsonIn(created))
    const { upload, file, uploadToken } = await storeUpload(server)
    expectDescribed('addFile', file)
    expectDescribed('getUpload', jsonIn(await sendRequest(server.url, `/upload/${upload.id}`)))
    await server.client.removeFile(upload.id, file, { uploadToken })
    expectDescribed('getUpload', jsonIn(await sendRequest(server.url, `/upload/${upload.id}`)))
  })

  test('a limited upload, and its downloads', async () => {
    const { upload, path, uploadToken } = await storeUpload(server, 'content', { maxDownloads: 2 })
    await sendRequest(server.url, path)
    expectDescribed('getUpload', jsonIn(await sendRequest(server.url, `/upload/${upload.id}`)))
    const headers = { 'x-uploadtoken': uploadToken }
    const activity = await sendRequest(server.url, `/upload/${upload.id}/activity`, { headers })
    expectDescribed('listDownloads', jsonIn(activity))
  })

  test('an upload request, and what it has received', async () => {
    const sendAndExpect = async (
      name: string,
      method: string,
      path: string,
      content?: object,
      token = '',
    ) => {
      const headers = { 'content-type': 'application/json', 'x-requesttoken': token }
      const body = content && { body: JSON.stringify(content) }
      const response = await sendRequest(server.url, path, { method, headers, ...body })
      expectDescribed(name, jsonIn(response))
      return jsonIn(response) as { readonly id: string; readonly requestToken: string }
    }
    const { id, requestToken: token } = await sendAndExpect('createRequest', 'POST', '/requests', {
      title: 'Photos',
      maxFiles: 2,
      extensions: ['pdf'],
    })
    await sendAndExpect('sendToRequest', 'POST', `/request/${id}/upload`, {
      sender: 'Ada',
      files: [{ fileName: 'a.pdf' }],
    })
    await sendAndExpect('showRequest', 'GET', `/request/${id}`)
    await sendAndExpect('getRequest', 'GET', `/requests/${id}`, undefined, token)
    await sendAndExpect('updateRequest', 'PATCH', `/requests/${id}`, { closed: true }, token)
    await sendAndExpect('listRequestUploads', 'GET', `/requests/${id}/uploads`, undefined, token)
    const { headers } = await signIn(server, root)
    expectDescribed('listRequests', jsonIn(await sendRequest(server.url, '/requests?all=true', { headers })))
  })

  test('a declared file', async () => {
    const { id, uploadToken = '', files } = await server.client.createUpload({ files: [{ fileName: 'd' }] })
    const headers = { 'x-uploadtoken': uploadToken, 'content-type': formType }
    const path = `/file/${id}/${files[0]?.id ?? ''}/d`
    expectDescribed(
      'addDeclaredFile',
      jsonIn(await sendRequest(server.url, path, { method: 'POST', headers, body: fileForm('x') })),
    )
  })

  test('a streamed file', async () => {
    const declared = await declareStream(server)
    const sent = sendWhole(server.url, declared, 'x')
    await becomes(server, declared, 'uploading')
    expect((await sendRequest(server.url, declared.path)).text).toBe('x')
    expectDescribed('sendStream', jsonIn(await sent))
  })

  test('a resumable upload', async () => {
    const { id, uploadToken = '' } = await server.client.createUpload()
    const headers = { 'x-uploadtoken': uploadToken, 'upload-complete': '?1' }
    const create = { method: 'POST', headers, body: 'x' }
    expectDescribed(
      'resumableCreate',
      jsonIn(await sendRequest(server.url, `/resumable/${id}?fileName=x`, create)),
    )
    const begin = { method: 'POST', headers: { ...headers, 'upload-complete': '?0' } }
    const started = await sendRequest(server.url, `/resumable/${id}?fileName=y`, begin)
    const append = {
      method: 'PATCH',
      headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/partial-upload' },
      body: 'x',
    }
    const path = new URL(started.headers.location ?? '').pathname
    expectDescribed('resumableAppend', jsonIn(await sendRequest(server.url, path, append)))
  })

  describe('of accounts', () => {
    let admin: SignedIn
    beforeAll(async () => {
      admin = await signIn(server, root)
    })

    /**
     * Sends a request as an admin.
     * @param json makes it a POST
     */
    async function expectResponse(name: string, path: string, json?: object, method = 'POST') {
      const headers = { 'content-type': 'application/json', ...admin.headers }
      const change = json === undefined ? {} : { method, body: JSON.stringify(json) }
      const response = await sendRequest(server.url, path, { headers, ...change })
      expect([name, response.status]).toEqual([name, 200])
      expectDescribed(name, jsonIn(response))
      return jsonIn(response)
    }

    test('the current user', async () => {
      await expectResponse('getMe', '/me')
      await expectResponse('updateMe', '/me', { name: 'Root', theme: 'dark' }, 'PATCH')
      await expectResponse('listMySessions', '/me/sessions')
      await expectResponse('createMyToken', '/me/token', { comment: 'c', expiresAt: '2030-01-01T00:00:00Z' })
      const token = await createUserToken(server, admin)
      await sendRequest(server.url, '/upload', { method: 'POST', headers: { 'x-svctoken': token } })
      expect(await expectResponse('listMyTokens', '/me/token')).toMatchObject({ total: 2 })
      expect(await expectResponse('listMyUploads', '/me/uploads')).toMatchObject({ total: 1 })
      await expectResponse('getMyStats', '/me/stats')
    })

    test('notifications, webhooks and their deliveries', async () => {
      await expectResponse('getMyNotifications', '/me/notifications')
      const address = 'root@mail.example'
      await expectResponse('updateMe', '/me', { email: address }, 'PATCH')
      const [key] = lookUp(server, `select value from settings where key = 'sessionKey'`)
      const code = emailConfirmations(String(key), server.clock).issue('local:root', address)
      await expectResponse('confirmMyEmail', '/me/notifications/email/confirm', { code })
      const email = { events: ['limits.near'] }
      await expectResponse('updateMyNotifications', '/me/notifications', { email }, 'PATCH')
      const keys = {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      }
      const push = { endpoint: 'https://push.example/1', keys, events: ['limits.near'] }
      await expectResponse('putMyPush', '/me/push', push)
      await expectResponse('getMyPush', '/me/push')
      const hook = { url: 'https://hooks.invalid/', events: ['upload.downloaded'], description: 'd' }
      const { id } = (await expectResponse('createMyWebhook', '/me/webhooks', hook)) as {
        readonly id: string
      }
      await expectResponse('updateMyWebhook', `/me/webhooks/${id}`, { description: '' }, 'PATCH')
      await expectResponse('rotateMyWebhookSecret', `/me/webhooks/${id}/secret`, {})
      expect(await expectResponse('listMyWebhooks', '/me/webhooks')).toHaveLength(1)
      const headers = { ...admin.headers, 'content-type': formType }
      const uploaded = await sendRequest(server.url, '/', { method: 'POST', headers, body: fileForm('x') })
      await sendRequest(server.url, new URL(uploaded.text.trim()).pathname)
      server.clock.advance(5_000)
      const path = `/me/webhooks/${id}/deliveries`
      const deliveryID = await until('there is a delivery', async () => {
        const page = await expectResponse('listMyDeliveries', path)
        return (page as { readonly results: readonly { readonly id: string }[] }).results[0]?.id
      })
      await expectResponse('replayMyDelivery', `${path}/${deliveryID}/replay`, {})
    })

    test('users and the server', async () => {
      const user = {
        provider: 'local',
        login: 'somebody',
        password: 'battery staple',
        email: 'a@example.test',
      }
      await expectResponse('createUser', '/user', user)
      await expectResponse('getUser', '/user/local:somebody')
      await expectResponse('updateUser', '/user/local:somebody', { maxFileSize: -1, maxTTL: 60 })
      await createUser(server, admin, { provider: 'oidc', login: 'somebody-else' })
      expect(await expectResponse('listUsers', '/users?limit=1')).toMatchObject({ total: 3 })
      expect(await expectResponse('searchUsers', '/users/search?q=some')).toHaveLength(2)
      await expectResponse('listUploads', '/uploads')
      await expectResponse('getStats', '/stats')
      await expectResponse('getDailyStats', '/stats/daily')
      await expectResponse('getVersion', '/version')
    })

    test('an upload with an alias', async () => {
      const upload = await expectResponse('createUpload', '/upload', { alias: 'holiday-2026' })
      const { id } = upload as { readonly id: string }
      await expectResponse('changeUpload', `/upload/${id}`, { alias: 'holiday-2027' }, 'PATCH')
    })

    test('a link by email', async () => {
      const upload = await expectResponse('createUpload', '/upload', {})
      const { id, uploadToken } = upload as { readonly id: string; readonly uploadToken: string }
      await server.client.addFile(id, new Blob(['x']), { fileName: 'x', uploadToken })
      await expectResponse('mailLink', `/upload/${id}/mail`, { addresses: ['eve@x.example'] })
    })

    test('a command-line login', async () => {
      const start = await expectResponse('startCliLogin', '/auth/cli/init', { hostname: 'host' })
      const { code, secret } = start as { readonly code: string; readonly secret: string }
      await expectResponse('pollCliLogin', '/auth/cli/poll', { code, secret })
      await expectResponse('describeCliLogin', '/auth/cli/describe', { code })
      await expectResponse('approveCliLogin', '/auth/cli/approve', { code })
      const end = await expectResponse('pollCliLogin', '/auth/cli/poll', { code, secret })
      expect(end).toMatchObject({ status: 'approved' })
    })
  })

  test('an error', async () => {
    expectDescribed('getUpload', jsonIn(await sendRequest(server.url, '/upload/unknown')), '404')
  })

  test('cover all descriptions', () => {
    const inJson = operationsOf(document).filter(
      ({ operation }) => 'application/json' in (operation.responses[200]?.content ?? {}),
    )
    expect(inJson.map(({ operation }) => operation.operationId).sort()).toEqual([...compared].sort())
  })
})
