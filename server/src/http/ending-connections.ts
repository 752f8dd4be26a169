import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Between two looks at the connections of a server that stops. Milliseconds. */
const lookMs = 100

/**
 * Lets a server that stops close connections as soon as they are idle, and none before. Node looks once, as it stops;
 * and it takes for idle what has its answer written, though the last bytes wait for a client that reads slowly.
 * @returns looks again and again from now on @returns stops looking
 */
export function endingConnections(server: Server): () => () => void {
  const lastAnswers = new Map<Socket, ServerResponse>()
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (!lastAnswers.has(socket)) socket.once('close', () => lastAnswers.delete(socket))
    lastAnswers.set(socket, response)
  })
  const isOnItsWay = ({ writableEnded, writableFinished }: ServerResponse) =>
    writableEnded && !writableFinished
  const closeIdle = server.closeIdleConnections.bind(server)
  // They stay a little longer beside one that must not be closed: there is no way to close but one of them.
  server.closeIdleConnections = () => {
    if (!lastAnswers.values().some(isOnItsWay)) closeIdle()
  }
  return () => {
    const timer = setInterval(() => {
      server.closeIdleConnections()
    }, lookMs)
    return () => {
      clearInterval(timer)
    }
  }
}
