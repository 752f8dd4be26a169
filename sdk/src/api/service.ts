import type { Configuration, ShareX, Version } from '@svc/contract'
import type { Connection } from '../http/connection.ts'
import { createLinks } from '../core/links.ts'

/** What a server publishes about itself (specification §4, "Public"). */
export function serviceCalls({ base, call, json, open }: Connection) {
  const { qrCodeURL } = createLinks(base)
  return {
    health: async () => (await call('/health')).text,
    /** @throws ApiError `not_ready` */
    ready: async () => (await call('/ready')).text,
    configuration: () => json<Configuration>('/config'),
    version: () => json<Version>('/version'),
    /** What makes ShareX send to this server. @throws ApiError `not_found` */
    shareX: () => json<ShareX>('/clients/sharex.sxcu'),
    /** A text as a PNG image. @param pixels width and height */
    qrCode: (text: string, pixels?: number) => open(qrCodeURL(text, pixels)),
  }
}
