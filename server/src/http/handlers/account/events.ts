import { once } from 'node:events'
import { isStillSignedIn } from '../../../core/accounts/credentials.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { invalidRequest } from '../../../domain/errors.ts'
import { isId } from '../../../domain/ids.ts'
import type { EventRecord } from '../../../domain/notification-records.ts'
import type { UserRecord } from '../../../domain/records.ts'
import type { EventKey } from '../../../metadata/notifications/events.ts'
import { headersSoFar } from '../../response/reply.ts'
import type { RequestContext } from '../../steps/chain.ts'

/** The number of bytes that wait for a client before its stream ends. */
const maxWaitingBytes = 1_048_576

/** How long a browser waits before it connects again, in ms. */
const reconnectMs = 5_000

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx would otherwise collect events before it passes them on.
  'x-accel-buffering': 'no',
}

/** Sends the events of the user as server-sent events (HTML standard), until client or session end. */
export async function streamMyEvents({
  service,
  request,
  reply,
  user,
  principal,
}: RequestContext & { readonly user: UserRecord; readonly principal: Principal }) {
  const { wait } = request.query as { readonly wait?: number }
  const after = keyOf(request.headers['last-event-id'])
  if (request.method === 'HEAD') return reply.headers(streamHeaders).send()
  const { raw } = reply
  const state = { isOpen: true }
  const write = (text: string) => {
    // The first events arrive before the stream is known to be possible.
    if (!raw.headersSent) {
      reply.hijack()
      raw.writeHead(200, { ...headersSoFar(reply), ...streamHeaders })
      raw.write(`retry: ${String(reconnectMs)}\n\n`)
    }
    if (state.isOpen) raw.write(text)
  }
  const end = () => {
    state.isOpen = false
    if (raw.headersSent) raw.end()
  }
  const close = await service.notifications.streams.open(
    {
      userId: user.id,
      send(event) {
        write(textOf(event))
        return raw.writableLength < maxWaitingBytes
      },
      heartbeat: () => {
        write(':\n\n')
      },
      isValid: () => isStillSignedIn(service, principal),
      end,
    },
    after,
  )
  write(':\n\n')
  const stop = wait === undefined || wait === 0 ? undefined : service.clock.every(wait * 1000, end)
  // The stream may have ended before its head was sent.
  if (wait === 0 || !state.isOpen) end()
  if (!raw.closed) await once(raw, 'close')
  stop?.()
  close()
  return reply
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
