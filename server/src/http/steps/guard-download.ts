import * as errors from '../../domain/errors.ts'
import { isLinkBot, isPrefetch } from '../../domain/access/link-bots.ts'
import { isLimited } from '../../domain/limits/download-limit.ts'
import type { UploadRecord } from '../../domain/records.ts'
import type { RequestContext } from './chain.ts'

/** An uploaded file must not become a service worker of this origin. */
export function refuseServiceWorkers({ request }: RequestContext): object {
  if (request.headers['service-worker'] === 'script') throw errors.serviceWorkerRefused()
  return {}
}

/** Prevents link previews and prefetches from using up downloads that count, and streams (docs/protocol.md#downloading). */
export function blockBots({ request, upload }: RequestContext & { readonly upload: UploadRecord }): object {
  if (!isLimited(upload) && upload.stream === 0) return {}
  if (isLinkBot(request.headers['user-agent']) || isPrefetch(request.headers)) throw errors.botRefused()
  return {}
}
