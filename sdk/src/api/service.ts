import type { Configuration, ShareX, Version } from '@svc/contract'
import { createLinks } from './links.ts'
import { endpointCalls } from '../http/calls.ts'
import type { Connection } from '../http/connection.ts'

/** Information that a server publishes (docs/protocol.md#service). */
export function serviceCalls(connection: Connection) {
  const { call, request } = endpointCalls(connection)
  const { qrCodeURL } = createLinks(connection.base)
  return {
    health: async () => (await request('GET /health')).text,
    /** @throws ApiError `not_ready` */
    ready: async () => (await request('GET /ready')).text,
    configuration: (): Promise<Configuration> => call('GET /config'),
    version: (): Promise<Version> => call('GET /version'),
    /**
     * A configuration file for ShareX.
     * @throws ApiError `not_found`
     */
    shareX: (): Promise<ShareX> => call('GET /clients/sharex.sxcu'),
    /**
     * A text as a PNG image.
     * @param pixels width and height
     */
    qrCode: (text: string, pixels?: number) => connection.open(qrCodeURL(text, pixels)),
  }
}
