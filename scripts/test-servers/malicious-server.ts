import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { File, Upload } from '@svc/contract'

/** How a server that has turned against its users changes its responses. */
export interface Malice {
  /** The upload that it shows instead. */
  readonly upload?: (upload: Upload) => Upload
  /** The file whose bytes it delivers instead, by its name and id. */
  readonly file?: (id: string) => Pick<File, 'id' | 'fileName'> & { readonly uploadID?: string }
}

export interface MaliciousServer {
  readonly url: string
  be(malice: Malice): void
  close(): Promise<void>
}

const filePath = /^\/file\/([0-9A-Za-z]+)\/([0-9A-Za-z]+)\//

/** A server in front of another one, whose responses to downloads it changes. */
export async function startMaliciousServer(target: string): Promise<MaliciousServer> {
  let malice: Malice = {}
  const pathFor = (path: string): string => {
    const [, uploadID, id] = filePath.exec(path) ?? []
    if (id === undefined || malice.file === undefined) return path
    const other = malice.file(id)
    return `/file/${other.uploadID ?? uploadID ?? ''}/${other.id}/${encodeURIComponent(other.fileName)}`
  }
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    void (async () => {
      const { range } = request.headers
      const got = await fetch(target + pathFor(path), { headers: { ...(range !== undefined && { range }) } })
      let body = Buffer.from(await got.arrayBuffer())
      if (malice.upload !== undefined && path.startsWith('/upload/'))
        body = Buffer.from(JSON.stringify(malice.upload(JSON.parse(body.toString()) as Upload)))
      // Without the validator, which would show that the bytes are those of another file.
      const kept = ['content-type', 'content-range', 'accept-ranges'].flatMap((name) => {
        const value = got.headers.get(name)
        return value === null ? [] : [[name, value] as const]
      })
      response.writeHead(got.status, { ...Object.fromEntries(kept), 'content-length': body.length })
      response.end(body)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    be: (next) => {
      malice = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
