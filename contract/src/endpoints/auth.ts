import * as Type from 'typebox'
import { endpoint, json, text } from './endpoint.ts'
import { limits } from '../base/limits.ts'
import { CliLoginApplicant, CliLoginStart, CliLoginState } from '../resources/cli-login.ts'
import { LocalLogin } from '../resources/user.ts'
import { guestErrors, guestChangeErrors, jsonErrors, userChangeErrors } from './errors.ts'

const tag = 'Authentication'

export const providerLogin = endpoint({
  method: 'GET',
  path: '/auth/{provider}/login',
  chain: 'auth',
  tag,
  summary: 'Get the URL of the provider’s consent page',
  description:
    'The response is the address as text. It works once, and only in the browser that has the cookie of this response.',
  response: text,
  errors: [...guestErrors, 'not_found', 'unavailable'],
})

export const providerCallback = endpoint({
  method: 'GET',
  path: '/auth/{provider}/callback',
  chain: 'auth',
  tag,
  summary: 'Complete a sign-in at a provider; redirects to the sign-in page',
  description:
    'The provider sends the browser here with a code. The first sign-in of a person creates the account.',
  response: { type: 'text/html' },
  redirectDescription: 'Always: to the sign-in page, with `?error=CODE` when the sign-in failed.',
  errors: guestErrors,
})

export const localLogin = endpoint({
  method: 'POST',
  path: '/auth/local/login',
  chain: 'auth',
  tag,
  summary: 'Sign in with a local account',
  description:
    'Sets the cookies of a session. After ten wrong passwords in five minutes from one network for one login, the response is 429.',
  body: json(LocalLogin),
  response: text,
  errors: [
    ...guestChangeErrors,
    ...jsonErrors,
    'wrong_credentials',
    'too_many_attempts',
    'unavailable',
    'no_space',
  ],
})

export const logout = endpoint({
  method: 'GET',
  path: '/auth/logout',
  chain: 'auth',
  tag,
  summary: 'Sign out',
  description: 'Ends the session. Requests that a browser makes by following a link are refused.',
  response: text,
  errors: ['feature_disabled', 'cross_site', 'invalid_xsrf'],
})

export const startCliLogin = endpoint({
  method: 'POST',
  path: '/auth/cli/init',
  chain: 'auth',
  tag,
  summary: 'Start a command-line sign-in',
  description:
    'The response has a code for the user, and a secret with which the command line polls. The user approves the code on the page at `verifyURL`.',
  body: json(Type.Object({ hostname: Type.Optional(Type.String({ maxLength: limits.hostnameLength })) })),
  bodyOptional: true,
  response: json(CliLoginStart),
  errors: [...guestChangeErrors, ...jsonErrors, 'budget_reached', 'no_space'],
})

export const describeCliLogin = endpoint({
  method: 'POST',
  path: '/auth/cli/describe',
  chain: 'authenticated',
  tag,
  summary: 'Describe a command-line sign-in that waits for approval',
  description:
    'The name and the address of the computer, so that the user can recognize it before approving.',
  body: json(Type.Object({ code: Type.String() })),
  response: json(CliLoginApplicant),
  errors: [...userChangeErrors, ...jsonErrors, 'code_not_found', 'too_many_attempts'],
})

export const approveCliLogin = endpoint({
  method: 'POST',
  path: '/auth/cli/approve',
  chain: 'authenticated',
  tag,
  summary: 'Approve a command-line sign-in',
  description: 'The command line gets a user token of this account, with the comment, at its next poll.',
  body: json(
    Type.Object({
      code: Type.String(),
      comment: Type.Optional(Type.String({ maxLength: limits.commentLength })),
    }),
  ),
  response: json(Type.Object({ status: Type.Literal('approved') })),
  errors: [...userChangeErrors, ...jsonErrors, 'code_not_found', 'too_many_attempts'],
})

export const pollCliLogin = endpoint({
  method: 'POST',
  path: '/auth/cli/poll',
  chain: 'auth',
  tag,
  summary: 'Poll the state of a command-line sign-in',
  description:
    'With the code and the secret of the start, every `interval` seconds. The token is in one response only.',
  body: json(Type.Object({ code: Type.String(), secret: Type.String() })),
  response: json(CliLoginState),
  errors: [
    ...guestChangeErrors,
    ...jsonErrors,
    'wrong_credentials',
    'code_not_found',
    'too_many_attempts',
    'no_space',
  ],
})
