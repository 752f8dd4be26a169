import { join } from 'node:path'
import { readdir, readFile } from 'node:fs/promises'
import type { Upload, UploadOptions } from '@svc/contract'
import type { Svcd } from '../../../server/test/support/servers/svcd.ts'
import type { Svc } from './svc.ts'

/** Types a passphrase at the prompt of a program: `python3 SCRIPT PASSPHRASE PROGRAM…`. */
export const typePassphraseScript = join(import.meta.dirname, '../../../encryption/test/type-passphrase.py')

/** The size of a block that is encrypted as one unit. */
export const chunk = 65_536

/** The `--json` output for an encrypted upload. */
export interface EncryptedUploadOutput {
  readonly id: string
  readonly url: string
  readonly passphrase?: string
  readonly files: readonly { readonly size: number; readonly url: string }[]
}

/** An upload whose only file is already encrypted, or is declared to be. */
export async function storeEncrypted(
  { client }: Pick<Svcd, 'client'>,
  bytes: Uint8Array,
  options: Pick<UploadOptions, 'oneShot'> = {},
): Promise<Upload> {
  const upload = await client.createUpload({ e2ee: 'age', ...options })
  const { uploadToken } = upload
  await client.addFile(upload.id, new Blob([Uint8Array.from(bytes)]), { fileName: 'f', uploadToken })
  return upload
}

export const contentOf = (svc: Svc, name: string) => readFile(svc.path(name))

/** The names in the folder that begin with the prefix, such as those of a partial download. */
export const namesOf = async (svc: Svc, prefix: string) =>
  (await readdir(svc.directory)).filter((name) => name.startsWith(prefix)).sort()
