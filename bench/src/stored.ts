import type { ServerProcess } from './processes/server-process.ts'

/** The server rejected a request of the preparation of a benchmark. */
export class PreparationError extends Error {
  override readonly name = 'PreparationError'
}

interface KnownUpload {
  readonly uploadID: string
  readonly uploadToken: string
}

/** Removes uploads and their bytes, so that disk and page cache do not fill up over the rounds. */
export async function removeUploads(
  server: Pick<ServerProcess, 'clean' | 'url'>,
  uploads: readonly KnownUpload[],
  signal: AbortSignal,
): Promise<void> {
  for (const { uploadID, uploadToken } of uploads) {
    const address = `${server.url}upload/${uploadID}`
    await request(address, { method: 'DELETE', headers: { 'X-UploadToken': uploadToken }, signal })
  }
  await server.clean()
}

/** An upload, and the address of its last file. */
export interface StoredUpload extends KnownUpload {
  readonly fileURL: string
}

interface StoredFiles {
  readonly count: number
  readonly content: string
  /** The encryption scheme of the upload; the content is sent as it is. */
  readonly e2ee?: string
  /** The name of each file; by default they are numbered. */
  readonly name?: string
}

/** Creates an upload with some files of the same content. */
export async function storeFiles(
  { url }: Pick<ServerProcess, 'url'>,
  { count, content, e2ee = '', name: fixedName }: StoredFiles,
  signal: AbortSignal,
): Promise<StoredUpload> {
  const headers = { 'Content-Type': 'application/json' }
  const options = { method: 'POST', headers, body: JSON.stringify({ e2ee }), signal }
  const created = (await (await request(`${url}upload`, options)).json()) as {
    readonly id: string
    readonly uploadToken: string
  }
  let fileURL = ''
  for (let stored = 0; stored < count; stored += 1) {
    const name = fixedName ?? `file-${String(stored)}.txt`
    const body = new FormData()
    body.set('file', new Blob([content]), name)
    const headers = { 'X-UploadToken': created.uploadToken }
    const response = await request(`${url}file/${created.id}`, { method: 'POST', headers, body, signal })
    const { id } = (await response.json()) as { readonly id: string }
    fileURL = `${url}file/${created.id}/${id}/${name}`
  }
  return { uploadID: created.id, uploadToken: created.uploadToken, fileURL }
}

/** @throws PreparationError unless it succeeds */
export async function request(address: string, init: RequestInit): Promise<Response> {
  const response = await fetch(address, init)
  if (!response.ok)
    throw new PreparationError(`${address}: ${String(response.status)} ${await response.text()}`)
  return response
}
