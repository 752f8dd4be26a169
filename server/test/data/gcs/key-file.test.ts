import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gcsBackend } from '../../../src/data/gcs/open.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { testDependencies } from '../../support/stores/store-dependencies.ts'
import { testTuning } from '../suites/network-store.ts'

describe('a key file', () => {
  const pem = (key: object) => JSON.stringify({ type: 'service_account', client_email: 'a@b', ...key })
  test.each([
    ['is empty', '', 'is empty'],
    ['is not JSON', 'rubbish', 'is not JSON'],
    ['is cut off', '{"type":"service_account","private_key":"-----BEGIN PRIV', 'is not JSON'],
    ['is another JSON', '[]', 'has no "type"'],
    ['has no type', '{}', 'has no "type"'],
    ['has no key', pem({}), 'has no "private_key"'],
    [
      'has a key that is none',
      pem({ private_key: 'rubbish' }),
      'is damaged: its "private_key" is not a PEM key',
    ],
  ])('that %s is refused with its name', async (_, content, why) => {
    const keyFile = join(await temporaryDirectory(), 'key.json')
    await writeFile(keyFile, content)
    const opened = gcsBackend(
      { bucket: 'b', prefix: '', keyFile, endpoint: 'http://127.0.0.1:1' },
      testDependencies(),
      testTuning,
    )
    await expect(opened).rejects.toThrow(`DataBackendConfig.KeyFile: ${keyFile} ${why}`)
  })

  test('that does not exist is refused with its name', async () => {
    const options = { bucket: 'b', prefix: '', keyFile: '/nowhere/key.json', endpoint: 'http://127.0.0.1:1' }
    await expect(gcsBackend(options, testDependencies(), testTuning)).rejects.toThrow(
      'DataBackendConfig.KeyFile: /nowhere/key.json cannot be read: ENOENT',
    )
  })
})
