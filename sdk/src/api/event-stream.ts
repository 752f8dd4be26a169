import { endpointPath, type EventBody } from '@svc/contract'
import type { Connection } from '../http/connection.ts'

/** An event, with its id. The id of the last one that a client has is the begin of its next stream. */
export interface ReceivedEvent {
  readonly id: string
  readonly body: EventBody
}

export interface EventStreamOptions {
  /** The id of the last event that the caller has. Without it, only later events are received. */
  readonly lastEventID?: string | undefined
  /** Seconds after which the stream ends; 0 receives the events since `lastEventID` only. */
  readonly wait?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * The events of the caller, until the server ends the stream: then the session has ended, or the server stops. An event may
 * arrive again in another stream, with its id.
 * @throws ApiError
 */
export async function* receiveEvents(
  connection: Connection,
  { lastEventID, wait, signal }: EventStreamOptions = {},
): AsyncGenerator<ReceivedEvent> {
  const query = wait === undefined ? '' : `?wait=${String(wait)}`
  const response = await connection.open(connection.base + endpointPath('GET /me/events', {}) + query, {
    ...(lastEventID !== undefined && { headers: { 'last-event-id': lastEventID } }),
    ...(signal && { signal }),
  })
  let fields = new Map<string, string>()
  for await (const line of linesOf(response)) {
    if (line === '') {
      const [id, data] = [fields.get('id'), fields.get('data')]
      fields = new Map()
      if (id !== undefined && data !== undefined) yield { id, body: JSON.parse(data) as EventBody }
      continue
    }
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart())
  }
}

/** Lines that end with a line feed, which is the only end of a line that the server sends. */
async function* linesOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return
  let rest = ''
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
