import { expect } from 'vitest'
import { sendRequest } from '../clients/send-request.ts'
import { openDataFiles } from '../machine/descriptors.ts'
import { storedFiles, fileStatuses } from './server-data.ts'
import { storeUpload } from '../clients/stored-upload.ts'
import type { TestServer } from './test-server.ts'
import { until } from '../until.ts'

/**
 * Asserts that failed uploads left nothing: no file to download, no bytes, no open file, and a server that
 * works.
 */
export async function expectNothingLeft(server: TestServer): Promise<void> {
  await until('no file is being received', () => !fileStatuses(server).includes('uploading'))
  expect(fileStatuses(server)).not.toContain('uploaded')
  await server.clean()
  await server.clean()
  expect(storedFiles(server)).toEqual([])
  expect(openDataFiles(server)).toEqual([])

  const { upload, uploadToken, path } = await storeUpload(server, 'later')
  expect((await sendRequest(server.url, path)).text).toBe('later')
  await server.client.removeUpload(upload.id, { uploadToken })
  await server.clean()
  expect(storedFiles(server)).toEqual([])
}
