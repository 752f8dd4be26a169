import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorCodes, type ErrorCode } from '@svc/contract'
import { externalProviders } from '../../../src/auth/providers/open-providers.ts'
import { routes } from '../../../src/http/routes.ts'
import { accountsConfig } from '../../support/clients/accounts.ts'
import { sendRequest, errorIn } from '../../support/clients/send-request.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { documentOf, operationsOf, type Document } from './openapi-document.ts'

/** A provider whose login begins without a request to it. */
const idp1 = {
  clientID: 'client',
  clientSecret: 'secret',
  name: 'Provider',
  authURL: 'http://127.0.0.1:9/consent',
  tokenURL: 'http://127.0.0.1:9/token',
  userInfoURL: 'http://127.0.0.1:9/me',
  scopes: 'email',
  validDomains: [],
}

let server: TestServer
let document: Document
beforeAll(async () => {
  server = await startTestServer({
    features: { feature_authentication: 'enabled' },
    config: { accounts: { ...accountsConfig, providers: { ...accountsConfig.providers, idp1 } } },
  })
  document = await documentOf(server)
})
afterAll(() => server.close())

const operations = () => operationsOf(document)

/** The actual paths for a described one: a provider is a parameter there. */
const written = (path: string): string[] =>
  path.includes('{provider}')
    ? externalProviders.map((provider) => path.replace('{provider}', provider))
    : [path]

test('the description is OpenAPI 3.1 and has exactly the routes of the server', () => {
  expect(document.openapi).toMatch(/^3\.1\./)
  const described = operations().flatMap(({ path, method }) =>
    written(path).map((each) => `${method} ${each}`),
  )
  const served = routes.flatMap(({ endpoint: { method, path, download } }) =>
    download === true ? [`${method} ${path}`, `HEAD ${path}`] : [`${method} ${path}`],
  )
  expect(described.sort()).toEqual(served.sort())
})

test('every parameter of a path is described, every operation has a unique id, and its errors are known', () => {
  const names = operations().map(({ operation }) => operation.operationId)
  expect(new Set(names).size).toBe(names.length)
  for (const { path, operation } of operations()) {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  }
})

test('all references of the description have a target', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
  expect(references.length).toBeGreaterThan(0)
  for (const [, name] of references) expect(Object.keys(document.components.schemas)).toContain(name)
})

test('the reference page is served with all its resources from this server', async () => {
  const page = await sendRequest(server.url, '/docs/')
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers['content-security-policy']).toContain("default-src 'self'")
  const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source ?? '')
  expect(sources.length).toBeGreaterThan(0)
  for (const source of sources) {
    const { status } = await sendRequest(server.url, new URL(source, 'http://svc.test/docs/').pathname)
    expect([source, status]).toEqual([source, 200])
  }
})

const example: Readonly<Record<string, string>> = {
  provider: 'idp1',
  userID: 'local:root',
  token: 'unknown',
  sessionID: 'unknown',
}

/** The error for a guest without the rights for the request. */
async function askWithoutRights({ path, method, operation }: ReturnType<typeof operations>[number]) {
  const { upload, file } = await storeUpload(server, 'secret', { password: 'secret', removable: true })
  const request = await server.client.createUploadRequest({ title: 'Photos', password: 'secret' })
  const filename = path.startsWith('/archive') ? 'all.zip' : file.fileName
  const values: Readonly<Record<string, string>> = {
    ...example,
    uploadID: upload.id,
    fileID: file.id,
    requestID: request.id,
    filename,
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braced, name: string) => values[name] ?? '')
  const type = Object.keys(operation.requestBody?.content ?? {})[0]
  const body = type === undefined ? undefined : type === 'multipart/form-data' ? fileForm('x') : '{}'
  return sendRequest(server.url, filled, {
    method,
    ...(type !== undefined && {
      headers: { 'content-type': type === 'multipart/form-data' ? formType : type },
    }),
    ...(body !== undefined && { body }),
  })
}

test('every operation responds as described, without rights too', async () => {
  for (const each of operations()) {
    const response = await askWithoutRights(each)
    const name = each.operation.operationId
    const { status, code } = errorIn(response)
    expect([name, Object.keys(each.operation.responses)]).toEqual([
      name,
      expect.arrayContaining([String(status)]),
    ])
    expect([name, code]).not.toEqual([name, 'not_found'])
    expect([404, 405, 500]).not.toContain(status)
    if (typeof code === 'string' && status >= 400) {
      expect(errorCodes[code as ErrorCode]).toBe(status)
      expect([name, each.operation.responses[status]?.description]).toEqual([
        name,
        expect.stringContaining(`\`${code}\``),
      ])
    }
  }
})

test('the callback of a provider redirects to the login page', async () => {
  const [callback] = operations().filter(({ operation }) => operation.operationId === 'providerCallback')
  if (callback === undefined) throw new Error('no operation sends on')
  const { status, headers } = await askWithoutRights(callback)
  expect([status, headers.location]).toEqual([302, '/#/login?error=login_failed'])
})

test('an operation describes no error twice', () => {
  for (const { name, endpoint } of routes)
    expect([name, [...endpoint.errors].sort()]).toEqual([name, [...new Set(endpoint.errors)].sort()])
})
