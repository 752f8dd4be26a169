import { headers as names } from '@svc/contract'
import type { FastifyRequest } from 'fastify'
import type { DownloadClient } from '../../core/activity/activity-log.ts'

/** The client of a download. */
export function downloadClientOf({
  request,
  address,
}: {
  readonly request: Pick<FastifyRequest, 'headers'>
  readonly address: string
}): DownloadClient {
  const { headers } = request
  const clientApp = headers[names.clientApp]
  return {
    userAgent: headers['user-agent'],
    clientApp: typeof clientApp === 'string' ? clientApp : undefined,
    address,
  }
}
