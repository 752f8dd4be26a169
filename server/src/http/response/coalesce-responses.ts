import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { routeTemplate } from '../request/route-template.ts'

/**
 * Holds small responses until the end of the event loop iteration and then sends them together: waking a client or a
 * proxy takes longer than the rest of sending, and one wake-up serves all responses.
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
        log.error({ err: error, route: routeTemplate(reply.request) }, 'response not sent')
        reply.raw.destroy()
      }
    }
  }
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (typeof payload !== 'string') done()
    else if (waiting.push({ reply, send: done }) === 1) setImmediate(sendAll)
  })
}
