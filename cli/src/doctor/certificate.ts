import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { errorMessage } from '../errors/error-message.ts'
import type { Program } from '../program/program.ts'
import { fail, ok, warn, type Finding } from '@svc/terminal'

const timeoutMs = 10_000
const dayMs = 86_400_000
const minDays = 14

/** The certificate of a server: whether it is trusted, and for how long it is valid. */
export async function checkCertificate({ clock }: Program, url: URL): Promise<Finding> {
  const about = 'certificate'
  try {
    const { validTo, problem } = await certificateOf(url)
    if (problem !== undefined) return fail(about, errorMessage(problem))
    const days = Math.floor((validTo - clock.now()) / dayMs)
    return days < minDays
      ? warn(about, `it expires in ${String(days)} days: the admin of the server should renew it`)
      : ok(about, `trusted, and valid for ${String(days)} more days`)
  } catch (error) {
    return fail(about, errorMessage(error))
  }
}

function certificateOf({ hostname, port }: URL): Promise<{ validTo: number; problem: Error | undefined }> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const options = {
    host,
    port: port === '' ? 443 : Number(port),
    rejectUnauthorized: false,
    ...(isIP(host) === 0 && { servername: host }),
  }
  return new Promise((resolve, reject) => {
    const socket = connect(options, () => {
      const validTo = Date.parse(socket.getPeerCertificate().valid_to)
      // The error has the code of the reason, which its type does not say.
      resolve({ validTo, problem: socket.authorized ? undefined : untrusted(socket.authorizationError) })
      socket.destroy()
    })
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no response')))
    socket.once('error', reject)
  })
}

const untrusted = (reason: Error | string): Error =>
  typeof reason === 'string' ? Object.assign(new Error(reason), { code: reason }) : reason
