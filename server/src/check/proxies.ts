import { ok, warn, type Finding } from '@svc/terminal'
import { isLoopback } from './base/loopback.ts'
import type { CheckContext } from './base/context.ts'

const about = 'TrustedProxies'

/** Checks that clients have distinct addresses: login throttling and UploadWhitelist depend on them. */
export function checkProxies({ config }: CheckContext): readonly Finding[] {
  const { trustedProxies, svcDomain, ssl, assumeHTTPS, listenAddress } = config
  const findings: Finding[] = []
  const everyone = trustedProxies.filter((network) => network.endsWith('/0'))
  if (everyone.length > 0) {
    const networks = everyone.join(', ')
    findings.push(
      warn(
        about,
        `${networks} trusts every client, so that anyone can claim any address: list the networks of the proxies`,
      ),
    )
  }
  if (svcDomain.startsWith('https:') && ssl === null && trustedProxies.length === 0) {
    findings.push(
      warn(
        about,
        'SvcDomain is https, but neither SslEnabled nor TrustedProxies is set: all clients seem to have the ' +
          "proxy's address and share one login throttle. Add the network of the proxy that terminates TLS to TrustedProxies",
      ),
    )
  }
  if (!assumeHTTPS && !isLoopback(listenAddress)) {
    findings.push(
      warn(
        'HTTPS',
        'clients are assumed to use plain HTTP: others on the network can read passwords and files',
      ),
    )
  }
  return findings.length === 0 ? [ok(about, 'proxies and HTTPS are consistent')] : findings
}
