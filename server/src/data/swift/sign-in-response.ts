import { StoreUnavailableError } from '../backend/backend.ts'
import { readText, type StoreResponse } from '../network/client.ts'
import { responseError } from '../network/store-error.ts'

/** What to correct in the configuration. */
export interface SignInAdvice {
  /** When the store refuses the credentials. */
  readonly denied: string
  /** When there is no sign-in at the address. */
  readonly notFound: string
}

/**
 * Reads the response to a sign-in.
 * @throws StoreUnavailableError with the advice for any status but 200 to 204
 */
export async function readSignIn(
  action: string,
  response: StoreResponse,
  { denied, notFound }: SignInAdvice,
): Promise<string> {
  const { status } = response
  if (status >= 200 && status <= 204) return readText(response)
  const error = await responseError(action, response)
  const advice = status === 401 || status === 403 ? denied : isElsewhere(status) ? notFound : null
  throw advice === null
    ? error
    : new StoreUnavailableError(`${error.message}: ${advice}`, { cause: error.cause })
}

/** Whether the status of a sign-in means that another resource is at its address. */
export const isElsewhere = (status: number): boolean => status === 300 || status === 404 || status === 405
