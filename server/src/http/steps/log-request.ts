import type { RequestContext } from '../chain.ts'

/**
 * Writes one line when the request is over, however it ends. The query is left out: a quick upload may
 * carry a password in it. Tokens travel in headers, which are not logged either.
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
        path: withoutQuery(url ?? ''),
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

function withoutQuery(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}
