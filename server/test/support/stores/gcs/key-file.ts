import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '../../machine/temporary-directory.ts'

export interface GcsKeyFile {
  readonly path: string
  readonly email: string
  readonly publicKey: KeyObject
}

/**
 * The key file of a new service account, removed after the test. Its universe is not the default one, so that the package makes its
 * tokens itself, with the same key, and requests none.
 */
export async function newGcsKeyFile(): Promise<GcsKeyFile> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const folder = await temporaryDirectory()
  const path = join(folder, 'key.json')
  const email = 'svc@test.iam.example'
  const key = {
    ...{
      type: 'service_account',
      project_id: 'test',
      private_key_id: '1',
      client_email: email,
      client_id: '1',
    },
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    universe_domain: 'universe.example',
  }
  await writeFile(path, JSON.stringify(key))
  return { path, email, publicKey }
}
