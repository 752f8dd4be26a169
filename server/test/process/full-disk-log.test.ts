import { expect, test } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { emptyDirectory, startSvcd } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'

test('a client that is rejected repeatedly on a full disk does not fill the log', async () => {
  const directory = await emptyDirectory()
  const server = await startSvcd(directory, {
    MIN_FREE_SPACE_STR: '4000 TB',
    LOG_LEVEL: 'warn',
    FEATURE_AUTHENTICATION: 'enabled',
    IDP2_API_CLIENT_ID: 'client',
    IDP2_API_SECRET: 'secret',
  })
  try {
    for (let round = 0; round < 20; round += 1) {
      expect((await sendRequest(server.url, '/f', { method: 'PUT', body: 'x' })).status).toBe(507)
      const login = await sendRequest(server.url, '/auth/idp2/callback?code=x')
      expect(login.headers.location).toBe('/#/login?error=no_space')
    }
    const refusals = () =>
      server
        .log()
        .split('\n')
        .filter((line) => line.includes('no_space') && line.includes('method'))
    await until('it is logged', () => refusals().length > 0)
    server.kill('SIGTERM')
    await server.ended
    expect(refusals()).toHaveLength(1)
    expect(JSON.parse(refusals()[0] ?? '')).toMatchObject({ level: 40, method: 'PUT' })
    const warnings = server
      .log()
      .split('\n')
      .filter((line) => line.includes('"code":"no_space"') && line.includes('MinFreeSpaceStr'))
    // The data and the database.
    expect(warnings).toHaveLength(2)
    expect(server.log()).not.toContain('stack')
    expect(server.log()).not.toContain('provider unreachable')
  } finally {
    server.kill('SIGKILL')
    await server.ended
  }
})
