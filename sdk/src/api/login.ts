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
import { endpointCalls } from '../http/calls.ts'
import type { Connection } from '../http/connection.ts'

/** Identity providers for a sign-in without a password of this server. */
export type IdentityProvider = Exclude<Provider, 'local'>

/** Signing in and out, and the sign-in of a command line (docs/protocol.md#authentication). */
export function loginCalls(connection: Connection) {
  const { call, request } = endpointCalls(connection)
  return {
    /** Sets the cookies of a session; only browsers keep them. */
    localLogin: async (login: LocalLogin): Promise<void> => {
      await request('POST /auth/local/login', { body: login })
    },
    /** Address of the provider's page that asks for consent; it sends the browser back with a session. */
    providerLogin: async (provider: IdentityProvider): Promise<string> =>
      (await request('GET /auth/{provider}/login', { params: { provider } })).text.trim(),
    logout: async (): Promise<void> => {
      await request('GET /auth/logout')
    },

    startCliLogin: (start: CliLoginRequest = {}): Promise<CliLoginStart> =>
      call('POST /auth/cli/init', { body: start }),
    describeCliLogin: (login: CliLoginCode): Promise<CliLoginApplicant> =>
      call('POST /auth/cli/describe', { body: login }),
    approveCliLogin: (approval: CliLoginApproval): Promise<CliLoginApproved> =>
      call('POST /auth/cli/approve', { body: approval }),
    /** The response has the token once; after that the code is unknown. */
    pollCliLogin: (
      started: CliLoginPoll,
      { signal }: { readonly signal?: AbortSignal | undefined } = {},
    ): Promise<CliLoginState> => call('POST /auth/cli/poll', { body: started, signal }),
  }
}
