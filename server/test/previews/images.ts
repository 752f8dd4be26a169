import { previewPath } from '@svc/contract'
import { storeUpload, type StoredUpload } from '../support/clients/stored-upload.ts'
import { sendRequest, type TestRequest } from '../support/clients/send-request.ts'
import type { TestServer } from '../support/servers/test-server.ts'

/** Bytes that begin as a format does, of any length: the server decodes nothing. */
const padded = (beginning: readonly number[], length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length)
  bytes.set(beginning)
  return bytes
}
const codes = (text: string): number[] => [...Buffer.from(text, 'latin1')]

export const webp = (length = 60) => padded(codes('RIFF\x34\0\0\0WEBPVP8 '), length)
export const jpeg = padded([0xff, 0xd8, 0xff, 0xe0, 0, 16, ...codes('JFIF\0')], 60)
/** The header of a PNG of 30,000 × 30,000 pixels. */
export const png = padded(
  [...codes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 1, 0, 0, 0, 0],
  60,
)
export const ageFile = padded(codes('age-encryption.org/v1\n-> scrypt '), 60)

/** A new upload with one file that is large enough for every preview: it begins with some content. */
export const storeLarge = (
  server: Parameters<typeof storeUpload>[0],
  content: string | Uint8Array = 'content',
  options: Parameters<typeof storeUpload>[2] = {},
): Promise<StoredUpload> => storeUpload(server, padded([...Buffer.from(content)], 40_000), options)

/** The path of the preview of an upload's file. */
export const pathOf = ({ upload, file }: Pick<StoredUpload, 'upload' | 'file'>): string =>
  previewPath(upload.id, file.id, file.fileName)

export const getPreview = ({ url }: Pick<TestServer, 'url'>, stored: StoredUpload, more: TestRequest = {}) =>
  sendRequest(url, pathOf(stored), more)

/** Adds a preview with the token of the upload. */
export const putPreview = (
  { url }: Pick<TestServer, 'url'>,
  stored: StoredUpload,
  body: Uint8Array | string = webp(),
  { headers, ...more }: TestRequest = {},
) =>
  sendRequest(url, pathOf(stored), {
    method: 'PUT',
    headers: { 'x-uploadtoken': stored.uploadToken, ...headers },
    body,
    ...more,
  })
