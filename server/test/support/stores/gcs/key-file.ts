import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface GcsKeyFile {
  readonly path: string
  readonly email: string
  readonly publicKey: KeyObject
  remove(): Promise<void>
}

/**
 * The key file of a new service account. Its universe is not the default one, so that the package makes its
 * tokens itself, with the same key, and requests none.
 */
export async function newGcsKeyFile(): Promise<GcsKeyFile> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const folder = await mkdtemp(join(tmpdir(), 'svc-gcs-'))
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
  return { path, email, publicKey, remove: () => rm(folder, { recursive: true }) }
}
