import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Upload } from '@svc/contract'
import { startServer, type ForeignServer } from './foreign-servers.ts'

/** A server in front of another one, which looks as if it counted the downloads of manifests, too. */
export const startEarlierServer = (target: string): Promise<ForeignServer> =>
  startServer((request, response) => {
    pass(target, request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })

/** Headers of one connection. */
const ofConnection = [
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'transfer-encoding',
]

const kept = (headers: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !ofConnection.includes(name)))

async function pass(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const got = await fetch(target + url, {
    method,
    headers: kept(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    ...(hasBody && { body: Uint8Array.from(await buffer(request)) }),
  })
  const bytes = Buffer.from(await got.arrayBuffer())
  const isUpload = url.startsWith('/upload') && got.ok && method !== 'DELETE'
  response.writeHead(got.status, kept(got.headers))
  response.end(isUpload ? JSON.stringify(counted(JSON.parse(bytes.toString()) as Upload)) : bytes)
}

const counted = (upload: Upload): Upload => ({
  ...upload,
  files: upload.files.map((file) =>
    upload.maxDownloads === undefined ? file : { downloadsLeft: upload.maxDownloads, ...file },
  ),
})
