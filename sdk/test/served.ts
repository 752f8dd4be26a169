import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** HTTP servers for the tests of a file. */
export function createServers() {
  const servers: Server[] = []
  const served = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  }
  return {
    /**
     * Starts a server on a free port.
     * @returns its URL
     */
    served,
    /**
     * Starts a server that sends the same response to every request.
     * @returns its URL
     */
    respondingWith: (status: number, contentType: string, body: string) =>
      served((request, response) => {
        request.resume()
        response.writeHead(status, { 'content-type': contentType }).end(body)
      }),
    close: async () => {
      for (const server of servers.splice(0)) {
        server.closeAllConnections()
        await server[Symbol.asyncDispose]()
      }
    },
  }
}
