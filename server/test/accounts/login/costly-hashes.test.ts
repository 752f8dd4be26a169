import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../support/clients/accounts.ts'
import { errorIn, sendRequest } from '../../support/clients/send-request.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../support/servers/svcd.ts'
import { until } from '../../support/until.ts'

let server: Svcd
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory(), {
    FEATURE_AUTHENTICATION: 'enabled',
    DEFAULT_ADMIN_LOGIN: root.login,
    DEFAULT_ADMIN_PASSWORD: root.password,
  })
})
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
})

/** A hash whose verification takes 3 GiB: more than svcd import has accepted since it has a limit. */
const costly = `$argon2id$v=19$m=3145728,t=20,p=1$${'s'.repeat(22)}$${'h'.repeat(43)}`

function change(statement: string, key: string): void {
  const database = new DatabaseSync(join(server.directory, 'svc.db'), { timeout: 5_000 })
  database.prepare(statement).run(costly, key)
  database.close()
}

test('a user with a hash that costs too much cannot sign in, and the log has the command that helps', async () => {
  change('update users set passwordHash = ? where login = ?', root.login)
  const response = await sendRequest(server.url, '/auth/local/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(root),
  })
  expect(response.status).toBe(401)
  expect(errorIn(response)).toMatchObject({ code: 'wrong_credentials' })
  await until('the log says what helps', () => server.log().includes('svcd user update root --password'))
})

test('an upload with a hash that costs too much opens with its upload token only', async () => {
  const { upload, uploadToken } = await storeUpload(server, 'content', { login: 'ann', password: 'secret' })
  change('update uploads set passwordHash = ? where id = ?', upload.id)
  const authorization = `Basic ${Buffer.from('ann:secret').toString('base64')}`
  const path = `/upload/${upload.id}`
  expect((await sendRequest(server.url, path, { headers: { authorization } })).status).toBe(401)
  await until('the upload is logged', () => server.log().includes(`"upload":"${upload.id}"`))
  expect((await server.client.upload(upload.id, { uploadToken })).id).toBe(upload.id)
})
