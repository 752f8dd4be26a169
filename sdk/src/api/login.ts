import type {
  CliLoginApplicant,
  CliLoginApproval,
  CliLoginApproved,
  CliLoginCode,
  CliLoginPoll,
  CliLoginState,
  CliLoginRequest,
  CliLoginStart,
  LocalLogin,
  Provider,
} from '@svc/contract'
import type { Connection } from '../http/connection.ts'
import { withJson } from '../http/fetch-transport.ts'

/** Where people may log in instead of with a password of this server. */
export type IdentityProvider = Exclude<Provider, 'local'>

/** Logging in and out, and the login of a command line (specification §5). */
export function loginCalls({ call, json }: Connection) {
  return {
    /** Sets the cookies of a session; only browsers keep them. */
    localLogin: async (login: LocalLogin): Promise<void> => {
      await call('/auth/local/login', withJson('POST', login))
    },
    /** Address of the provider's page that asks for consent; it sends the browser back with a session. */
    providerLogin: async (provider: IdentityProvider): Promise<string> =>
      (await call(`/auth/${provider}/login`)).text.trim(),
    logout: async (): Promise<void> => {
      await call('/auth/logout')
    },

    startCliLogin: (start: CliLoginRequest = {}) =>
      json<CliLoginStart>('/auth/cli/init', withJson('POST', start)),
    describeCliLogin: (login: CliLoginCode) =>
      json<CliLoginApplicant>('/auth/cli/describe', withJson('POST', login)),
    approveCliLogin: (approval: CliLoginApproval) =>
      json<CliLoginApproved>('/auth/cli/approve', withJson('POST', approval)),
    /** The token is in the answer once: after that the code is unknown. */
    pollCliLogin: (started: CliLoginPoll, { signal }: { readonly signal?: AbortSignal | undefined } = {}) =>
      json<CliLoginState>('/auth/cli/poll', {
        ...withJson('POST', started),
        ...(signal && { signal }),
      }),
  }
}
