import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export interface SelfSigned {
  /** The name of its files, without extension. */
  readonly name: string
  /** Its subject, as openssl writes it: `DNS:svc.test`, `IP:127.0.0.1`. */
  readonly holder: string
  readonly days: number
}

/**
 * Makes a self-signed certificate.
 * @returns paths of its files in the directory
 */
export function selfSigned(directory: string, { name, holder, days }: SelfSigned) {
  const [key, cert] = [join(directory, `${name}.key`), join(directory, `${name}.pem`)]
  const [, subject = ''] = holder.split(':')
  const kind = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'.split(' ')
  const whose = ['-days', String(days), '-subj', `/CN=${subject}`, '-addext', `subjectAltName=${holder}`]
  const args = ['req', '-x509', ...kind, ...whose, '-keyout', key, '-out', cert]
  execFileSync('openssl', args, { stdio: 'ignore' })
  return { key, cert }
}
