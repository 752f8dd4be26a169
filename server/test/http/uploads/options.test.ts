import { flagValues, type FlagValue, type Upload, type UploadOptions } from '@svc/contract'
import { describe, expect, test } from 'vitest'
import type { Config, Features } from '../../../src/config/config.ts'
import { sendRequest, basic, jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

const create = (server: TestServer, options: unknown) =>
  sendRequest(server.url, '/upload', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(options),
  })

async function withServer(
  options: { readonly features?: Partial<Features>; readonly config?: Partial<Config> },
  use: (server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await startTestServer(options)
  try {
    await use(server)
  } finally {
    await server.close()
  }
}

/** The effect of an option: its value in the response, or the code of the error. */
async function outcome(server: TestServer, options: UploadOptions, read: (upload: Upload) => unknown) {
  const response = await create(server, options)
  return response.status === 200 ? read(jsonIn(response) as Upload) : errorIn(response).code
}

describe('boolean options (not mentioned, true, false)', () => {
  const expected: Readonly<Record<FlagValue, readonly unknown[]>> = {
    disabled: [false, 'option_disabled', false],
    enabled: [false, true, false],
    default: [true, true, false],
    forced: [true, true, true],
  }
  const options = [
    ['oneShot', 'feature_one_shot'],
    ['removable', 'feature_removable'],
    ['extend_ttl', 'feature_extend_ttl'],
  ] as const
  const cases = flagValues.flatMap((flag) => options.map(([option, feature]) => ({ flag, option, feature })))

  test.each(cases)('$option at $flag', async ({ flag, option, feature }) => {
    await withServer({ features: { [feature]: flag } }, async (server) => {
      const found = await Promise.all(
        [{}, { [option]: true }, { [option]: false }].map((requested) =>
          outcome(server, requested, (upload) => upload[option]),
        ),
      )
      expect(found).toEqual(expected[flag])
    })
  })
})

describe('text options (not mentioned, an empty text, a text)', () => {
  const expected: Readonly<Record<FlagValue, readonly unknown[]>> = {
    disabled: [false, false, 'option_disabled'],
    enabled: [false, false, true],
    default: [false, false, true],
    forced: ['option_required', 'option_required', true],
  }
  test.each(
    flagValues.flatMap((flag) => (['password', 'comments'] as const).map((option) => ({ flag, option }))),
  )('$option at $flag', async ({ flag, option }) => {
    const read = (upload: Upload) =>
      option === 'password' ? upload.protectedByPassword : upload.comments === 'x'
    await withServer({ features: { [`feature_${option}`]: flag } }, async (server) => {
      const found = await Promise.all(
        [{}, { [option]: '' }, { [option]: 'x' }].map((requested) => outcome(server, requested, read)),
      )
      expect(found).toEqual(expected[flag])
    })
  })

  test.each(['enabled', 'disabled'] as const)('e2ee %s', async (flag) => {
    await withServer({ features: { feature_e2ee: flag } }, async (server) => {
      const read = (upload: Upload) => upload.e2ee
      expect([await outcome(server, {}, read), await outcome(server, { e2ee: 'age' }, read)]).toEqual([
        '',
        flag === 'enabled' ? 'age' : 'option_disabled',
      ])
    })
  })
})

test('a stream is rejected where streams are disabled', async () => {
  await withServer({ features: { feature_stream: 'disabled' } }, async (server) => {
    expect(errorIn(await create(server, { stream: true }))).toEqual({
      status: 400,
      code: 'option_disabled',
    })
  })
})

describe('time to live', () => {
  const limited = { defaultTTL: 100, maxTTL: 1_000 }
  const open = { defaultTTL: 100, maxTTL: 0 }
  const eternal = { defaultTTL: -1, maxTTL: -1 }
  test.each<[string, Partial<Config>, FlagValue, number | undefined, unknown]>([
    ['no TTL requested', limited, 'enabled', undefined, 100],
    ['0 is the default', limited, 'enabled', 0, 100],
    ['1 second', limited, 'enabled', 1, 1],
    ['exactly the maximum', limited, 'enabled', 1_000, 1_000],
    ['above the maximum', limited, 'enabled', 1_001, 1_000],
    ['far above the maximum', limited, 'enabled', Number.MAX_SAFE_INTEGER, 1_000],
    ['unlimited, under a maximum', limited, 'enabled', -1, 'infinite_ttl'],
    ['far below zero, under a maximum', limited, 'enabled', -99_999, 'infinite_ttl'],
    ['unlimited, without a maximum', open, 'enabled', -1, -1],
    ['far below zero, without a maximum', open, 'enabled', -99_999, -1],
    ['0 is the default, without a maximum', open, 'enabled', 0, 100],
    [
      'the longest possible, without a maximum',
      open,
      'enabled',
      Number.MAX_SAFE_INTEGER,
      Number.MAX_SAFE_INTEGER,
    ],
    ['an unlimited default', eternal, 'enabled', 0, -1],
    ['an end under an unlimited default', eternal, 'enabled', 60, 60],
    ['not configurable', limited, 'disabled', 7, 100],
    ['not configurable, unlimited', limited, 'disabled', -1, 100],
    ['half a second', limited, 'enabled', 0.5, 'invalid_request'],
    ['beyond the safe integers', limited, 'enabled', 1e300, 'invalid_request'],
  ])('%s', async (_name, config, flag, ttl, expected) => {
    await withServer({ config, features: { feature_set_ttl: flag } }, async (server) => {
      const response = await create(server, ttl === undefined ? {} : { ttl })
      const upload = jsonIn(response) as Upload
      expect(response.status === 200 ? upload.ttl : errorIn(response).code).toBe(expected)
      if (expected === -1) expect(upload.expireAt).toBeNull()
      if (typeof expected !== 'number' || expected <= 0) return
      const end = Math.min(server.clock.now() + expected * 1_000, Date.UTC(9999, 11, 31, 23, 59, 59, 999))
      expect(new Date(upload.expireAt ?? '').getTime()).toBe(end)
    })
  })
})

describe('the size of texts', () => {
  const e = 'é'
  test.each<[string, UploadOptions, unknown]>([
    ['comments of 32,768 bytes', { comments: e.repeat(16_384) }, 200],
    ['comments of 32,769 bytes', { comments: `${e.repeat(16_384)}a` }, 'invalid_request'],
    ['a password of 128 characters', { password: 'p'.repeat(128) }, 200],
    ['a password of 128 emoji', { password: '🔑'.repeat(128) }, 200],
    ['a password of 129 characters', { password: 'p'.repeat(129) }, 'invalid_request'],
    ['a login of 128 characters', { login: 'l'.repeat(128), password: 'p' }, 200],
    ['a login of 129 characters', { login: 'l'.repeat(129), password: 'p' }, 'invalid_request'],
    ['a login with a colon, which Basic cannot carry', { login: 'a:b', password: 'p' }, 'invalid_request'],
    ['a login without a password', { login: 'l' }, 'invalid_request'],
    ['a scheme of 32 characters', { e2ee: 's'.repeat(32) }, 200],
    ['a scheme of 33 characters', { e2ee: 's'.repeat(33) }, 'invalid_request'],
    ['a scheme with markup', { e2ee: '<b>' }, 'invalid_request'],
    ['a reference of 256 characters', { files: [{ fileName: 'a', reference: 'r'.repeat(256) }] }, 200],
    [
      'a reference of 257 characters',
      { files: [{ fileName: 'a', reference: 'r'.repeat(257) }] },
      'invalid_request',
    ],
  ])('%s', async (_name, options, expected) => {
    await withServer({}, async (server) => {
      const response = await create(server, options)
      expect(response.status === 200 ? 200 : errorIn(response).code).toBe(expected)
    })
  })

  test('the credentials open the upload: any script, a colon in the password, svc as the login', async () => {
    await withServer({}, async (server) => {
      const opens = async (options: UploadOptions, login: string, password: string) => {
        const { id } = jsonIn(await create(server, options)) as Upload
        const headers = { authorization: basic(login, password) }
        return (await sendRequest(server.url, `/upload/${id}`, { headers })).status
      }
      expect(await opens({ login: 'größe', password: '🔑пароль' }, 'größe', '🔑пароль')).toBe(200)
      expect(await opens({ login: 'l', password: 'a:b:c' }, 'l', 'a:b:c')).toBe(200)
      expect(await opens({ password: 'p' }, 'svc', 'p')).toBe(200)
      expect(await opens({ password: 'p' }, '', 'p')).toBe(401)
      expect(await opens({ login: 'l', password: 'p' }, 'l', 'P')).toBe(401)
      expect(await opens({ login: 'l', password: 'p' }, 'L', 'p')).toBe(401)
    })
  })
})
