import { ok, warn, type Finding } from './finding.ts'
import type { Subject } from './parts.ts'

const about = 'TrustedProxies'

/** Nobody else comes that way. */
const atHome = /^(?:127\.|::1$|localhost$)/

/** Whether clients are told apart: limits on guessing and UploadWhitelist go by their addresses. */
export function checkProxies({ config }: Subject): readonly Finding[] {
  const { trustedProxies, svcDomain, ssl, assumeHTTPS, listenAddress } = config
  const findings: Finding[] = []
  const everybody = trustedProxies.filter((network) => network.endsWith('/0'))
  if (everybody.length > 0) {
    const networks = everybody.join(', ')
    findings.push(
      warn(
        about,
        `${networks} trusts everybody, so that anyone may claim any address: name the proxies' networks`,
      ),
    )
  }
  if (svcDomain.startsWith('https:') && ssl === null && trustedProxies.length === 0) {
    findings.push(
      warn(
        about,
        'SvcDomain is https, but there is neither SslEnabled nor a trusted proxy: all clients seem to come from the ' +
          "proxy's address, and share one limit on guessing. Name the network of the proxy that ends TLS",
      ),
    )
  }
  if (!assumeHTTPS && !atHome.test(listenAddress)) {
    findings.push(
      warn(
        'HTTPS',
        'clients are assumed to come over plain HTTP: passwords and files can be read on their way',
      ),
    )
  }
  return findings.length === 0 ? [ok(about, 'proxies and HTTPS fit together')] : findings
}
