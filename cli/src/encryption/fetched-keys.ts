import { createConnection } from '@svc/sdk'
import { foreignError } from '../addresses/foreign-error.ts'
import { usageFailure, type Failure } from '../errors/failure.ts'
import { connectionOptions } from '../http/connect.ts'
import { addressOf } from '../http/light-response.ts'
import type { Program } from '../program/program.ts'

/** Hosts that nothing on the network can pose as. */
const thisMachine = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

const isProtected = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || (protocol === 'http:' && thisMachine.test(hostname))

/**
 * The text at an address that has public keys. A change on its way would let another person read the files, so it comes over HTTPS
 * with a trusted certificate only, also after a redirect.
 * @throws Failure, ApiError
 */
export async function fetchKeys(program: Program, url: URL): Promise<string> {
  // The connection would report it as a network error.
  let refusal: Failure | undefined
  const { fetch, ...options } = connectionOptions(program, { insecure: false, isQuiet: true })
  const connection = createConnection({
    ...options,
    baseURL: url.origin,
    fetch: async (input, init) => {
      const target = addressOf(input)
      if (!isProtected(target))
        throw (refusal = usageFailure(`public keys are fetched over HTTPS only, not from ${target.href}`))
      return fetch(input, init)
    },
  })
  try {
    const response = await connection.call(url.pathname + url.search, { signal: program.interrupted })
    return response.text
  } catch (error) {
    throw refusal ?? foreignError(error, url)
  }
}
