import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'

/**
 * Holds small answers until the end of the event loop's turn, and then sends them one after the other: a client or a
 * proxy that the first one wakes finds the others. To wake a process takes longer than all the rest of sending.
 */
export function coalesceResponses(app: FastifyInstance, log: Logger): void {
  let waiting: { readonly reply: FastifyReply; readonly send: () => void }[] = []
  const sendAll = () => {
    const ready = waiting
    waiting = []
    for (const { reply, send } of ready) {
      try {
        send()
      } catch (error) {
        log.error({ err: error, route: reply.request.routeOptions.url }, 'an answer could not be sent')
        reply.raw.destroy()
      }
    }
  }
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (typeof payload !== 'string') done()
    else if (waiting.push({ reply, send: done }) === 1) setImmediate(sendAll)
  })
}
