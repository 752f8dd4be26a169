import { isStillSignedIn } from '../../../core/accounts/still-signed-in.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { invalidRequest } from '../../../domain/errors.ts'
import { isId } from '../../../domain/ids.ts'
import type { EventRecord } from '../../../domain/notification-records.ts'
import type { UserRecord } from '../../../domain/records.ts'
import type { EventKey } from '../../../metadata/notifications/events.ts'
import { eventStreamHeaders, sendEventStream } from '../../response/event-stream.ts'
import type { RequestContext } from '../../steps/chain.ts'

/** Sends the events of the user as server-sent events, until client or session end. */
export async function streamMyEvents({
  service,
  request,
  reply,
  user,
  principal,
}: RequestContext & { readonly user: UserRecord; readonly principal: Principal }) {
  const { wait } = request.query as { readonly wait?: number }
  const after = keyOf(request.headers['last-event-id'])
  if (request.method === 'HEAD') return reply.headers(eventStreamHeaders).send()
  return sendEventStream({ reply, clock: service.clock, wait }, ({ send, ...client }) =>
    service.notifications.streams.open(
      {
        ...client,
        userId: user.id,
        send: (event) => send(textOf(event)),
        isValid: () => isStillSignedIn(service, principal),
      },
      after,
    ),
  )
}

const textOf = ({ id, createdAt, type, payload }: EventRecord): string =>
  `id: ${String(createdAt)}-${id}\nevent: ${type}\ndata: ${payload}\n\n`

/** @throws ServiceError `invalid_request` */
function keyOf(header: string | string[] | undefined): EventKey | null {
  if (header === undefined || header === '') return null
  const [, time = '', id = ''] = /^(\d{1,15})-(\w+)$/.exec(String(header)) ?? []
  if (!isId(id)) throw invalidRequest('Last-Event-ID must be the id of an event')
  return { createdAt: Number(time), id }
}
