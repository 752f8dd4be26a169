import type { CustomFetch } from 'openid-client'
import { UnreachableError, UnusableResponseError } from './provider-error.ts'

/**
 * The maximum size of a provider's response in bytes; profiles, keys and lists of organizations have a few
 * thousand.
 */
const maxResponseBytes = 1_048_576

const tooManyRequests = 429

/**
 * Sends a request to a provider. Redirects are not followed, and the whole response is read before this resolves,
 * so that later steps do not use the network. The signal sets the time limit.
 * @throws UnreachableError, UnusableResponseError when the response is too long
 */
export const providerFetch: CustomFetch = async (url, options) => {
  const { status, headers, body } = await send(url, { ...options, redirect: 'manual' } as RequestInit)
  if (status >= 500 || status === tooManyRequests) {
    throw new UnreachableError(`the provider returned status ${String(status)}`)
  }
  return new Response(body.length === 0 ? null : body, { status, headers })
}

async function send(url: string, options: RequestInit) {
  try {
    const response = await fetch(url, options)
    const body = await readBody(response.body as AsyncIterable<Uint8Array> | null)
    return { status: response.status, headers: response.headers, body }
  } catch (error) {
    if (error instanceof UnusableResponseError) throw error
    throw new UnreachableError('no response from the provider', { cause: error })
  }
}

async function readBody(body: AsyncIterable<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > maxResponseBytes) {
      throw new UnusableResponseError(`the response is longer than ${String(maxResponseBytes)} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
