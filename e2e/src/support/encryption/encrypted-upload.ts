import { randomBytes } from 'node:crypto'
import { withKey } from '@svc/contract'
import { createClient } from '@svc/sdk'
import type { Page } from 'playwright-core'
import { encrypted } from './age.ts'

export const passphrase = 'correct horse é & #1'

/** Bytes of content in one encrypted chunk. */
export const chunk = 65_536

/**
 * Uploads files that are encrypted already.
 * @returns the link, without a key
 */
export async function uploadEncrypted(
  server: string,
  files: Readonly<Record<string, Uint8Array>>,
  options: { readonly oneShot?: boolean } = {},
): Promise<string> {
  const sdk = createClient({ baseURL: server })
  const upload = await sdk.createUpload({ e2ee: 'age', ...options })
  const { uploadToken } = upload
  for (const [fileName, bytes] of Object.entries(files))
    await sdk.addFile(upload.id, new Blob([new Uint8Array(bytes)]), { fileName, uploadToken, e2ee: 'age' })
  return sdk.pageURL(upload)
}

/** A link that opens the encrypted files. */
export const withPassphrase = (link: string) => withKey(link, passphrase)

/** The link that downloads the only file. */
export const downloadLink = (page: Page) => page.getByRole('link', { name: 'Download', exact: true })

export async function damaged(): Promise<Buffer> {
  const bytes = await encrypted(randomBytes(5_000_000), passphrase)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 100) ^ 1, bytes.length - 100)
  return bytes
}

/** Ends between two chunks. */
export async function truncated(): Promise<Buffer> {
  const bytes = await encrypted(randomBytes(60 * chunk), passphrase)
  return bytes.subarray(0, bytes.length - 3 * (chunk + 16))
}
