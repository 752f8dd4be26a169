/**
 * A stand-in for versitygw where it is not built: a store with S3's requests for files of one part, in the folder of its last
 * argument. It compares the access key, and verifies no signature. The tests of the backend use real stores.
 */
import { createReadStream, createWriteStream, existsSync, readdirSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { argv, env } from 'node:process'
import { pipeline } from 'node:stream/promises'

const folder = argv.at(-1) ?? ''
const port = Number(argv[argv.indexOf('--port') + 1]?.replace(':', ''))
const credential = `Credential=${env['ROOT_ACCESS_KEY'] ?? ''}/`
if (folder === '' || !env['ROOT_SECRET_KEY']) throw new Error('a folder and ROOT_SECRET_KEY are required')

const fail = (response: ServerResponse, status: number, code: string) => {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}

/** An ETag that changes with the object. */
function etagOf(path: string): string {
  const { size, mtimeMs } = statSync(path)
  return `"${String(size)}-${String(mtimeMs)}"`
}

/** Lists the objects, or the uploads of several parts, of which it has none. */
function list(bucket: string, query: URLSearchParams, response: ServerResponse): void {
  const kind = query.has('uploads') ? 'ListMultipartUploadsResult' : 'ListBucketResult'
  const names = query.has('uploads') ? [] : readdirSync(bucket).toSorted()
  const objects = names
    .filter(
      (name) => !name.endsWith('.new') && decodeURIComponent(name).startsWith(query.get('prefix') ?? ''),
    )
    .map((name) => {
      const { size, mtime } = statSync(join(bucket, name))
      const time = mtime.toISOString()
      return `<Contents><Key>${decodeURIComponent(name)}</Key><Size>${String(size)}</Size><LastModified>${time}</LastModified></Contents>`
    })
  response.writeHead(200, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><${kind}><IsTruncated>false</IsTruncated>${objects.join('')}</${kind}>`)
}

/** Sends an object, or the range of it that the request asks for. */
async function send(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { size, mtime } = statSync(path)
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const start = Number(range?.[1] ?? 0)
  const end = Math.min(range?.[2] ? Number(range[2]) : size - 1, size - 1)
  if (start >= size && range !== null) {
    fail(response, 416, 'InvalidRange')
    return
  }
  response.writeHead(range === null ? 200 : 206, {
    'content-length': end - start + 1,
    'last-modified': mtime.toUTCString(),
    etag: etagOf(path),
    ...(range !== null && { 'content-range': `bytes ${String(start)}-${String(end)}/${String(size)}` }),
  })
  if (request.method === 'HEAD' || size === 0) response.end()
  else await pipeline(createReadStream(path, { start, end }), response)
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://store')
  const [bucketName = '', ...key] = pathname.slice(1).split('/')
  const bucket = join(folder, bucketName)
  const path = join(bucket, encodeURIComponent(decodeURIComponent(key.join('/'))))
  if (!request.headers.authorization?.includes(credential)) fail(response, 403, 'InvalidAccessKeyId')
  else if (bucketName === '' || !existsSync(bucket)) fail(response, 404, 'NoSuchBucket')
  else if (key.join('') === '' && request.method === 'HEAD') response.end()
  else if (key.join('') === '' && request.method === 'GET') list(bucket, searchParams, response)
  else if (request.method === 'PUT' && !searchParams.has('partNumber')) {
    await pipeline(request, createWriteStream(`${path}.new`))
    await rename(`${path}.new`, path)
    response.writeHead(200, { etag: etagOf(path) }).end()
  } else if (request.method === 'DELETE') {
    await rm(path, { force: true })
    response.writeHead(204).end()
  } else if (request.method !== 'GET' && request.method !== 'HEAD') fail(response, 501, 'NotImplemented')
  else if (existsSync(path)) await send(path, request, response)
  else fail(response, 404, 'NoSuchKey')
}

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.destroy(error as Error))
}).listen(port)
// The first process of a container ignores signals that it does not handle.
process.on('SIGTERM', () => process.exit())
