import type { CustomFetch } from 'openid-client'
import { UnreachableError, UnusableAnswerError } from './provider-error.ts'

/** A provider's longest answer in bytes; profiles, keys and lists of organizations take a few thousand. */
const longestAnswer = 1_048_576

const tooManyRequests = 429

/**
 * Asks a provider: no redirect is followed, and the whole answer is here when it resolves, so that no later step
 * meets the network. The time limit is the signal's.
 * @throws UnreachableError, UnusableAnswerError when the answer is too long
 */
export const providerFetch: CustomFetch = async (url, options) => {
  const { status, headers, body } = await ask(url, { ...options, redirect: 'manual' } as RequestInit)
  if (status >= 500 || status === tooManyRequests) {
    throw new UnreachableError(`the provider answered with status ${String(status)}`)
  }
  return new Response(body.length === 0 ? null : body, { status, headers })
}

async function ask(url: string, options: RequestInit) {
  try {
    const response = await fetch(url, options)
    const body = await readBody(response.body as AsyncIterable<Uint8Array> | null)
    return { status: response.status, headers: response.headers, body }
  } catch (error) {
    if (error instanceof UnusableAnswerError) throw error
    throw new UnreachableError('no answer from the provider', { cause: error })
  }
}

async function readBody(body: AsyncIterable<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > longestAnswer) {
      throw new UnusableAnswerError(`the answer is longer than ${String(longestAnswer)} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
