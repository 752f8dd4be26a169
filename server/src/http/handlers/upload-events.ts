import type { BudgetKey } from '../../domain/access/budget-key.ts'
import { isId } from '../../domain/ids.ts'
import { eventStreamHeaders, sendEventStream } from '../response/event-stream.ts'
import type { RequestContext } from '../steps/chain.ts'

/** Sends the changes of the uploads that the query names, as server-sent events. */
export async function streamUploadEvents({
  service,
  request,
  reply,
  budgetKey,
}: RequestContext & { readonly budgetKey: BudgetKey | null }) {
  const { id, wait } = request.query as { readonly id: readonly string[]; readonly wait?: number }
  if (request.method === 'HEAD') return reply.headers(eventStreamHeaders).send()
  return sendEventStream({ reply, clock: service.clock, wait }, ({ send, ...client }) =>
    service.uploadEvents.open({
      ...client,
      uploadIds: id.filter(isId),
      network: budgetKey,
      send: (uploadID) => send(`data: ${JSON.stringify({ uploadID })}\n\n`),
    }),
  )
}
