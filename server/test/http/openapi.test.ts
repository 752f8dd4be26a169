import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCodes, type ErrorCode } from '@svc/contract'
import { routes } from '../../src/http/routes.ts'
import { ask, jsonIn, refusalIn } from '../support/ask.ts'
import { fileForm, formType } from '../support/forms.ts'
import { storeUpload } from '../support/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Record<string, { readonly schema: object }> }
    >
  >
}
interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

let server: TestServer
let document: Document
beforeAll(async () => {
  server = await startTestServer()
  document = jsonIn(await ask(server.url, '/openapi.json')) as Document
})
afterAll(() => server.close())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

test('the description is OpenAPI 3.1 and has exactly the routes of the server', () => {
  expect(document.openapi).toMatch(/^3\.1\./)
  const described = operations().map(({ path, method }) => `${method} ${path}`)
  const served = routes.flatMap(({ endpoint: { method, path, download } }) =>
    download === true ? [`${method} ${path}`, `HEAD ${path}`] : [`${method} ${path}`],
  )
  expect(described.sort()).toEqual(served.sort())
})

test('every parameter of a path is described, every operation has a name of its own, and refusals are known', () => {
  const names = operations().map(({ operation }) => operation.operationId)
  expect(new Set(names).size).toBe(names.length)
  for (const { path, operation } of operations()) {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  }
})

test('the description refers to nothing that is not in it', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
  expect(references.length).toBeGreaterThan(0)
  for (const [, name] of references) expect(Object.keys(document.components.schemas)).toContain(name)
})

test('the reference page is served, with all it needs from this server', async () => {
  const page = await ask(server.url, '/docs/')
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers['content-security-policy']).toContain("default-src 'self'")
  const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source ?? '')
  expect(sources.length).toBeGreaterThan(0)
  for (const source of sources) {
    const { status } = await ask(server.url, new URL(source, 'http://svc.test/docs/').pathname)
    expect([source, status]).toEqual([source, 200])
  }
})

/** What a guest is told who asks for something that he has no right to. */
async function askWithoutRights({ path, method, operation }: ReturnType<typeof operations>[number]) {
  const { upload, file } = await storeUpload(server, 'secret', { password: 'secret', removable: true })
  const filled = path
    .replace('{uploadID}', upload.id)
    .replace('{fileID}', file.id)
    .replace('{filename}', path.startsWith('/archive') ? 'all.zip' : file.fileName)
  const type = Object.keys(operation.requestBody?.content ?? {})[0]
  const body = type === undefined ? undefined : type === 'multipart/form-data' ? fileForm('x') : '{}'
  return ask(server.url, filled, {
    method,
    ...(type !== undefined && {
      headers: { 'content-type': type === 'multipart/form-data' ? formType : type },
    }),
    ...(body !== undefined && { body }),
  })
}

test('every operation is answered, without rights too, and only as it is described', async () => {
  for (const each of operations()) {
    const answer = await askWithoutRights(each)
    const name = each.operation.operationId
    const { status, code } = refusalIn(answer)
    expect([name, Object.keys(each.operation.responses)]).toEqual([
      name,
      expect.arrayContaining([String(status)]),
    ])
    expect([name, code]).not.toEqual([name, 'not_found'])
    expect([404, 405, 500]).not.toContain(status)
    if (typeof code === 'string') {
      expect(errorCodes[code as ErrorCode]).toBe(status)
      expect([name, each.operation.responses[status]?.description]).toEqual([
        name,
        expect.stringContaining(`\`${code}\``),
      ])
    }
  }
})

describe('answers in JSON are as described, and have nothing besides', () => {
  const strict = (schema: object): object =>
    JSON.parse(JSON.stringify(schema), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
        ? { ...value, additionalProperties: false }
        : value,
    ) as object

  /** @param name of the operation */
  function expectDescribed(name: string, value: unknown, status = '200'): void {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    ajv.addFormat('date-time', (text: string) => new Date(text).toISOString() === text)
    ajv.addSchema({ $id: 'api', components: { schemas: strict(document.components.schemas) } })
    const operation = operations().find(({ operation }) => operation.operationId === name)?.operation
    const schema = operation?.responses[status]?.content?.['application/json']?.schema
    expect(schema).toBeDefined()
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object
    const validate = ajv.compile(strict(absolute))
    validate(value)
    expect(validate.errors).toBeNull()
  }

  test('configuration and version', async () => {
    expectDescribed('getConfiguration', jsonIn(await ask(server.url, '/config')))
    expectDescribed('getVersion', jsonIn(await ask(server.url, '/version')))
  })

  test('an upload when it is created and when it is shown, with files of every kind', async () => {
    const options = {
      files: [{ reference: 'r', fileName: 'a/b', fileSize: 3 }],
      comments: 'c',
      ttl: 60,
      password: 'p',
    }
    const created = await ask(server.url, '/upload', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(options),
    })
    expectDescribed('createUpload', jsonIn(created))
    const { upload, file, uploadToken } = await storeUpload(server)
    expectDescribed('addFile', file)
    expectDescribed('getUpload', jsonIn(await ask(server.url, `/upload/${upload.id}`)))
    await server.client.removeFile(upload.id, file, { uploadToken })
    expectDescribed('getUpload', jsonIn(await ask(server.url, `/upload/${upload.id}`)))
  })

  test('a declared file', async () => {
    const { id, uploadToken = '', files } = await server.client.createUpload({ files: [{ fileName: 'd' }] })
    const headers = { 'x-uploadtoken': uploadToken, 'content-type': formType }
    const path = `/file/${id}/${files[0]?.id ?? ''}/d`
    expectDescribed(
      'addDeclaredFile',
      jsonIn(await ask(server.url, path, { method: 'POST', headers, body: fileForm('x') })),
    )
  })

  test('a refusal', async () => {
    expectDescribed('getUpload', jsonIn(await ask(server.url, '/upload/unknown')), '404')
  })
})
