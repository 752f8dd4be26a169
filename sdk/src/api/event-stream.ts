import { endpointPath, type EventBody, type UploadEvent } from '@svc/contract'
import { ApiError } from '../errors/api-error.ts'
import type { Connection } from '../http/connection.ts'
import { wait as waitFor } from '../retry/wait.ts'

/** ms without a byte after which a stream counts as lost: the server sends a comment every 15 seconds. */
const maxSilence = 45_000

/** An event, with its id. The id of the last one that a client has is the begin of its next stream. */
export interface ReceivedEvent {
  readonly id: string
  readonly body: EventBody
}

interface StreamOptions {
  /** Seconds after which the stream ends. */
  readonly wait?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface EventStreamOptions extends StreamOptions {
  /** The id of the last event that the caller has. Without it, only later events are received; with it, `wait: 0` receives those since then. */
  readonly lastEventID?: string | undefined
}

export interface UploadEventOptions extends StreamOptions {
  /** Called when the stream has begun: changes from now on are received. */
  readonly onOpen?: (() => void) | undefined
}

/**
 * The events of the caller, until the server ends the stream: then the session has ended, or the server stops. An event may
 * arrive again in another stream, with its id.
 * @throws ApiError, including when the server is silent for 45 s
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
  for await (const { id, data } of fieldsOf(response))
    if (id !== undefined && data !== undefined) yield { id, body: JSON.parse(data) as EventBody }
}

/**
 * The changes of uploads, until the server ends the stream. An upload with a password has none, as one that does not exist and one that
 * a request has received.
 * @throws ApiError, including when the server is silent for 45 s
 */
export async function* receiveUploadEvents(
  connection: Connection,
  uploadIDs: readonly string[],
  { wait, signal, onOpen }: UploadEventOptions = {},
): AsyncGenerator<UploadEvent> {
  const query = new URLSearchParams(uploadIDs.map((id) => ['id', id]))
  if (wait !== undefined) query.set('wait', String(wait))
  const path = `${endpointPath('GET /uploads/events', {})}?${query.toString()}`
  const response = await connection.open(connection.base + path, { ...(signal && { signal }) })
  for await (const { data } of fieldsOf(response, onOpen))
    if (data !== undefined) yield JSON.parse(data) as UploadEvent
}

interface Fields {
  readonly id?: string | undefined
  readonly data?: string | undefined
}

/** The fields of each event (HTML standard). @param onOpen called with the first line */
async function* fieldsOf(response: Response, onOpen?: () => void): AsyncGenerator<Fields> {
  let fields = new Map<string, string>()
  let isOpen = false
  for await (const line of linesOf(response)) {
    // A proxy may send the head long before it passes anything on.
    if (!isOpen) onOpen?.()
    isOpen = true
    if (line === '') {
      yield { id: fields.get('id'), data: fields.get('data') }
      fields = new Map()
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
      const { value, done } = await unlessSilent(reader.read())
      if (done) return
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** @throws ApiError `network` when nothing arrives: a lost connection may never be reported */
async function unlessSilent<Result>(reading: Promise<Result>): Promise<Result> {
  const over = new AbortController()
  const silence = waitFor(maxSilence, over.signal).then(() => {
    throw new ApiError(0, 'network', 'the stream of events is silent')
  })
  try {
    return await Promise.race([reading, silence])
  } finally {
    over.abort()
  }
}
