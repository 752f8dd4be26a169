import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import type { Clock } from '../program/program.ts'

export type ToolCall = RequestHandlerExtra<ServerRequest, ServerNotification>

/** Minimum milliseconds between two notifications. */
const intervalMs = 250

/**
 * Sends the progress of a transfer, in bytes, to a host that asked for it. The protocol requires values that increase.
 * @returns undefined if the host did not ask
 */
export function createProgressReporter(
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
    if (transferred <= highest || (now - sentAt < intervalMs && !isLast)) return
    highest = transferred
    sentAt = now
    const params = { progressToken, progress: transferred, ...(total !== undefined && { total }) }
    // If the host has disconnected, the call is cancelled anyway.
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}
