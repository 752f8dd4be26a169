import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { fail, warn, type Finding } from '@svc/terminal'
import { certificateFinding } from './base/certificate-finding.ts'
import { reasonsOf } from './base/reasons.ts'
import type { CheckContext } from './base/context.ts'

const about = 'SslCert'

/** The certificate of the listener itself. */
export async function checkCertificate({ config, clock }: CheckContext): Promise<readonly Finding[]> {
  const { ssl, svcDomain, downloadDomain } = config
  if (ssl === null) return []
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(await readFile(ssl.cert))
    if (!certificate.checkPrivateKey(createPrivateKey(await readFile(ssl.key))))
      return [fail(about, 'SslKey belongs to another certificate')]
  } catch (error) {
    return [fail(about, `certificate and key cannot be used: ${reasonsOf(error)}`)]
  }
  const now = clock.now()
  if (certificate.validFromDate.getTime() > now) return [fail(about, 'the certificate is not valid yet')]
  const others = [svcDomain, downloadDomain]
    .filter((origin) => origin !== '')
    .map((origin) => new URL(origin).hostname)
    .filter(
      (host) => (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) === undefined,
    )
  return [
    certificateFinding(about, certificate.validToDate.getTime(), now),
    ...others.map((host) => warn(about, `the certificate is not for ${host}: browsers refuse it there`)),
  ]
}
