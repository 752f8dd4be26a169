import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { startServer, type ForeignServer } from './foreign-servers.ts'

interface StoredFile {
  readonly id: string
  readonly fileName: string
  readonly reference: string
  status: string
  bytes: Buffer
}

interface StoredUpload {
  readonly id: string
  readonly uploadToken: string
  readonly token: string
  readonly options: Readonly<Record<string, unknown>>
  readonly files: StoredFile[]
}

/** A server that speaks the protocol of Plik 1.3, with its names of headers and fields. */
export interface PlikServer extends ForeignServer {
  readonly uploads: ReadonlyMap<string, StoredUpload>
}

const randomID = (length: number) => randomBytes(length).toString('hex').slice(0, length)

/** As Go encodes the structures of Plik: an empty list is null, and unknown fields are ignored. */
const fileJson = ({ id, fileName, reference, status, bytes }: StoredFile) => ({
  id,
  fileName,
  status,
  fileMd5: status === 'uploaded' ? createHash('md5').update(bytes).digest('hex') : '',
  fileType: status === 'uploaded' ? 'text/plain; charset=utf-8' : '',
  fileSize: bytes.length,
  reference,
  createdAt: '2026-01-02T03:04:05.678901234Z',
})

const uploadJson = ({ id, uploadToken, options, files }: StoredUpload, isOwner: boolean) => ({
  id,
  ttl: options['ttl'] ?? 2592000,
  downloadDomain: '',
  comments: options['comments'] ?? '',
  files: files.length === 0 ? null : files.map(fileJson),
  ...(isOwner && { uploadToken }),
  admin: isOwner,
  stream: false,
  oneShot: options['oneShot'] ?? false,
  removable: options['removable'] ?? false,
  protectedByPassword: options['password'] !== undefined,
  createdAt: '2026-01-02T03:04:05.678901234Z',
  expireAt: null,
})

async function bytesOfForm(request: IncomingMessage): Promise<Buffer> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(Uint8Array.from(await buffer(request)), { headers }).formData()
  const file = form.get('file')
  if (!(file instanceof Blob)) throw new Error('the form has no file')
  return Buffer.from(await file.arrayBuffer())
}

export async function startPlikServer(): Promise<PlikServer> {
  const uploads = new Map<string, StoredUpload>()
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', headers } = request
    const [, resource = '', uploadID = '', fileID = ''] = (request.url ?? '').split('/')
    const upload = uploads.get(uploadID)
    const json = (value: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const refuse = (status: number, words: string) => response.writeHead(status).end(words)
    if (method === 'POST' && resource === 'upload') {
      const options = JSON.parse((await buffer(request)).toString()) as Record<string, unknown>
      const declared = (options['files'] ?? []) as readonly Record<string, string>[]
      const created: StoredUpload = {
        id: randomID(16),
        uploadToken: randomID(32),
        token: String(headers['x-pliktoken'] ?? ''),
        options,
        files: declared.map(({ fileName = '', reference = '' }) => ({
          id: randomID(16),
          fileName,
          reference,
          status: 'missing',
          bytes: Buffer.alloc(0),
        })),
      }
      uploads.set(created.id, created)
      return json(uploadJson(created, true))
    }
    if (upload === undefined) return refuse(404, `upload ${uploadID} not found`)
    const isOwner = headers['x-uploadtoken'] === upload.uploadToken
    const { login = 'plik', password } = upload.options
    const basic = `Basic ${Buffer.from(`${String(login)}:${String(password)}`).toString('base64')}`
    if (method === 'GET' && password !== undefined && !isOwner && headers.authorization !== basic)
      return response
        .writeHead(401, { 'www-authenticate': 'Basic realm="Plik"' })
        .end('please provide valid credentials')
    const file = upload.files.find(({ id }) => id === fileID)
    if (resource === 'upload' && method === 'GET') return json(uploadJson(upload, isOwner))
    if (method !== 'GET' && !isOwner) return refuse(403, 'you are not allowed to do this')
    if (resource === 'upload' && method === 'DELETE') {
      uploads.delete(uploadID)
      return response.writeHead(200).end('ok')
    }
    if (resource !== 'file') return refuse(404, '404 page not found')
    if (file === undefined) return refuse(404, `file ${fileID} not found`)
    if (method === 'POST') {
      file.bytes = await bytesOfForm(request)
      file.status = 'uploaded'
      return json(fileJson(file))
    }
    return response.writeHead(200, { 'content-length': file.bytes.length }).end(file.bytes)
  }
  const server = await startServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  return { ...server, uploads, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
