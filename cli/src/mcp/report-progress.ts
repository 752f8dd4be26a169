import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import type { Clock } from '../program/program.ts'

export type ToolCall = RequestHandlerExtra<ServerRequest, ServerNotification>

/** Milliseconds between two notifications. */
const pauseMs = 250

/** Sends the progress of a transfer to a host that wants it, in bytes. It never goes back, as the protocol demands. */
export function progressReporter(
  { _meta, sendNotification }: ToolCall,
  clock: Clock,
): ((transferred: number, total: number | undefined) => void) | undefined {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  let highest = 0
  let sentAt = -Infinity
  return (transferred, total) => {
    const now = clock.now()
    const isLast = transferred === total
    if (transferred <= highest || (now - sentAt < pauseMs && !isLast)) return
    highest = transferred
    sentAt = now
    const params = { progressToken, progress: transferred, ...(total !== undefined && { total }) }
    // A host that disconnects ends the call.
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}
