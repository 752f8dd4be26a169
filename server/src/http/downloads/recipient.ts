import { headers as names } from '@svc/contract'
import type { FastifyRequest } from 'fastify'
import type { Recipient } from '../../core/activity/activity-log.ts'

/** The recipient of a download. */
export function recipientOf({
  request,
  address,
}: {
  readonly request: Pick<FastifyRequest, 'headers'>
  readonly address: string
}): Recipient {
  const { headers } = request
  const clientApp = headers[names.clientApp]
  return {
    userAgent: headers['user-agent'],
    clientApp: typeof clientApp === 'string' ? clientApp : undefined,
    address,
  }
}
