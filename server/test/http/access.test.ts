import { archivePath, type UploadOptions } from '@svc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../src/http/routes.ts'
import { ask, basic, type Answered, type Question } from '../support/ask.ts'
import { fileForm, formType } from '../support/forms.ts'
import { lookUp } from '../support/storage.ts'
import { storeUpload, type StoredUpload } from '../support/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const login = 'canary-login'
const password = 'canary-password'
/** Told by a proxy that the server trusts: nobody but the server may learn where an upload came from. */
const address = '203.0.113.77'

let server: TestServer
/** Every answer that was given, for the search after secrets. */
const answers: { readonly what: string; readonly answer: Answered; readonly token: string }[] = []

beforeAll(async () => {
  server = await startTestServer({ config: { trustedProxies: ['127.0.0.1/32'] } })
})
afterAll(() => server.close())

type Case = StoredUpload & { readonly declared: string }

/** Each route that acts on an upload: how it is asked. A route of its own is a line of its own. */
const acts: Readonly<Record<string, (of: Case) => Question & { readonly path: string }>> = {
  getUpload: ({ upload }) => ({ path: `/upload/${upload.id}` }),
  removeUpload: ({ upload }) => ({ method: 'DELETE', path: `/upload/${upload.id}` }),
  addFile: ({ upload }) => ({ ...form, path: `/file/${upload.id}` }),
  addDeclaredFile: ({ upload, declared }) => ({ ...form, path: `/file/${upload.id}/${declared}/declared` }),
  removeFile: ({ path }) => ({ method: 'DELETE', path }),
  downloadFile: ({ path }) => ({ path }),
  'downloadFile HEAD': ({ path }) => ({ method: 'HEAD', path }),
  downloadArchive: ({ upload }) => ({ path: archivePath(upload.id, 'all.zip') }),
  'downloadArchive HEAD': ({ upload }) => ({ method: 'HEAD', path: archivePath(upload.id, 'all.zip') }),
}
const form = { method: 'POST', headers: { 'content-type': formType }, body: fileForm('new') }

/** Routes that have no upload yet: what they want is theirs to tell, whoever asks. */
const open = [
  'health',
  'getConfiguration',
  'getVersion',
  'getQrCode',
  'quickUpload',
  'quickUploadRaw',
  'createUpload',
]

const actors = ['guest', 'wrong token', 'wrong password', 'right password', 'token'] as const
type Actor = (typeof actors)[number]

const proofOf = (actor: Actor, { uploadToken }: Case): Record<string, string> => {
  switch (actor) {
    case 'guest':
      return {}
    case 'wrong token':
      return { 'x-uploadtoken': 'x'.repeat(uploadToken.length) }
    case 'wrong password':
      return { authorization: basic(login, `${password}!`) }
    case 'right password':
      return { authorization: basic(login, password) }
    case 'token':
      return { 'x-uploadtoken': uploadToken }
  }
}

const everyone = [200, 200, 200, 200, 200]
const holder = [403, 403, 403, 403, 200]
const knowing = [401, 401, 401, 200, 200]
const readable = { getUpload: everyone, downloadFile: everyone, 'downloadFile HEAD': everyone, downloadArchive: everyone, 'downloadArchive HEAD': everyone } // prettier-ignore
const guarded = { getUpload: knowing, downloadFile: knowing, 'downloadFile HEAD': knowing, downloadArchive: knowing, 'downloadArchive HEAD': knowing } // prettier-ignore
const managed = { removeUpload: holder, addFile: holder, addDeclaredFile: holder, removeFile: holder }

/** What is expected of guest, wrong token, wrong password, right password, token: for each kind of upload and route. */
const table: Readonly<
  Record<
    string,
    { readonly options: UploadOptions; readonly expected: Readonly<Record<string, readonly number[]>> }
  >
> = {
  plain: { options: {}, expected: { ...readable, ...managed } },
  'one-shot': { options: { oneShot: true }, expected: { ...readable, ...managed } },
  removable: { options: { removable: true }, expected: { ...readable, ...managed, removeFile: everyone } },
  protected: { options: { login, password }, expected: { ...guarded, ...managed } },
  'protected and removable': {
    options: { login, password, removable: true },
    expected: { ...guarded, ...managed, removeFile: knowing },
  },
}

/** An upload with a stored and a declared file, as somebody behind a proxy creates it. */
async function prepare(options: UploadOptions): Promise<Case> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
  const body = JSON.stringify({ ...options, files: [{ fileName: 'declared' }] })
  const created = await ask(server.url, '/upload', { method: 'POST', headers, body })
  answers.push({ what: 'createUpload', answer: created, token: '' })
  const upload = JSON.parse(created.text) as StoredUpload['upload']
  const { uploadToken = '', files } = upload
  const file = await server.client.addFile(upload.id, new Blob(['content']), {
    fileName: 'file.txt',
    uploadToken,
  })
  return {
    upload,
    uploadToken,
    file,
    path: `/file/${upload.id}/${file.id}/file.txt`,
    declared: files[0]?.id ?? '',
  }
}

const codes: Readonly<Record<number, string>> = { 401: 'wrong_credentials', 403: 'not_allowed' }

describe.each(Object.entries(table))('%s upload', (_kind, { options, expected }) => {
  test.each(Object.entries(expected))('%s', async (name, statuses) => {
    const found: Record<string, unknown> = {}
    for (const actor of actors) {
      const stored = await prepare(options)
      const { path, headers, ...question } = acts[name]?.(stored) ?? { path: '' }
      const answer = await ask(server.url, path, {
        ...question,
        headers: { ...headers, ...proofOf(actor, stored) },
      })
      answers.push({ what: `${name} as ${actor}`, answer, token: stored.uploadToken })
      const code =
        answer.status < 400 || answer.body.length === 0
          ? undefined
          : (JSON.parse(answer.text) as { code: string }).code
      found[actor] = answer.body.length === 0 ? { status: answer.status } : { status: answer.status, code }
      if (answer.status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Basic realm="svc"/)
    }
    const wanted = actors.map((actor, index) => {
      const status = statuses[index] ?? 0
      return [actor, name.endsWith('HEAD') ? { status } : { status, code: codes[status] }]
    })
    expect(found).toEqual(Object.fromEntries(wanted))
  })
})

test('every route of the server has its line in this table', () => {
  const covered = new Set(Object.keys(acts).map((name) => name.replace(' HEAD', '')))
  const missing = routes
    .map(({ name }) => name as string)
    .filter((name) => !covered.has(name) && !open.includes(name))
  expect(missing).toEqual([])
  for (const { expected } of Object.values(table))
    expect(Object.keys(expected).sort()).toEqual(Object.keys(acts).sort())
})

test('no answer tells a password, its hash, a login, a token, or where an upload came from', () => {
  expect(answers.length).toBeGreaterThan(200)
  const kept = lookUp(server, 'select passwordHash from uploads where passwordHash is not null')
  const tokens = lookUp(server, 'select tokenHash from uploads')
  expect(kept.length).toBeGreaterThan(0)
  expect(lookUp(server, 'select distinct address from uploads')).toContain(address)
  const secrets = [login, password, address, ...kept, ...tokens].map(String)
  for (const { what, answer, token } of answers) {
    const told = JSON.stringify(answer.headers) + answer.text
    const leaked = secrets.filter((secret) => told.includes(secret))
    expect([what, leaked]).toEqual([what, []])
    if (token !== '') expect([what, told.includes(token)]).toEqual([what, false])
  }
})

test('the credentials of one upload open no other, and neither does its token', async () => {
  const one = await prepare({ login, password })
  const other = await storeUpload(server, 'other', { password: 'another' })
  const asked = [{ authorization: basic(login, password) }, { 'x-uploadtoken': one.uploadToken }]
  for (const headers of asked) expect((await ask(server.url, other.path, { headers })).status).toBe(401)
  const crossed = `/file/${other.upload.id}/${one.file.id}/file.txt`
  const { status } = await ask(server.url, crossed, { headers: { 'x-uploadtoken': other.uploadToken } })
  expect(status).toBe(404)
})

test.each([
  '',
  'Basic',
  'Basic !!!',
  'Basic Og==',
  `Basic ${Buffer.from('no-colon').toString('base64')}`,
  'Bearer x',
  `basic  ${Buffer.from(`${login}:`).toString('base64')}`,
])('credentials that are none (%j) open nothing', async (authorization) => {
  const { path } = await prepare({ login, password })
  expect((await ask(server.url, path, { headers: { authorization } })).status).toBe(401)
})
