import type { RequestContext } from '../chain.ts'

/**
 * Writes one line when the request is over, however it ends. The query is left out: a quick upload may
 * carry a password in it. Other tokens travel in headers, which are not logged either.
 */
export function logRequest({
  request,
  reply,
  service,
  address,
}: RequestContext & { readonly address: string }): object {
  const { log, clock } = service
  if (!log.isLevelEnabled('info')) return {}
  const start = clock.now()
  reply.raw.once('close', () => {
    const { method, url } = request.raw
    log.info(
      {
        method,
        path: withoutSecrets(url ?? ''),
        status: reply.raw.statusCode,
        ms: clock.now() - start,
        address,
        ...(!reply.raw.writableFinished && { aborted: true }),
      },
      'request',
    )
  })
  return {}
}

/** Revoking a token names it in the path (specification §4). */
const tokenInPath = /(\/me\/token\/)[^/]+/

function withoutSecrets(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  return path.includes('/token/') ? path.replace(tokenInPath, '$1…') : path
}
