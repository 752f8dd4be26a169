import { text } from 'node:stream/consumers'
import type Provider from 'oidc-provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { profileShapes, subjectOf, type Person } from './people.ts'

/**
 * A response instead of the true one: none at all, a beginning without an end, one that is cut, or a whole
 * one.
 */
export type PlannedResponse =
  | 'no-response'
  | 'stall'
  | 'cut'
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      /** Text is sent unchanged, anything else as JSON. */
      readonly body?: unknown
    }

type Step = (context: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>

/** Invented responses for a path precede everything else. */
export const plannedResponses =
  (responses: ReadonlyMap<string, PlannedResponse>): Step =>
  async (context, next) => {
    const response = responses.get(context.path)
    if (response === undefined) return next()
    if (typeof response === 'string') {
      respondBadly(context, response)
      return
    }
    const { status = 200, headers = {}, body = '' } = response
    context.status = status
    context.type = 'application/json'
    context.set(headers)
    context.body = typeof body === 'string' ? body : JSON.stringify(body)
  }

function respondBadly(context: KoaContextWithOIDC, way: 'no-response' | 'stall' | 'cut'): void {
  context.respond = false
  if (way === 'no-response') return
  context.res.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
  context.res.write('{ "sub":', () => {
    if (way === 'cut') context.res.destroy()
  })
}

/** The peculiarities of the token endpoint of GitHub: errors have status 200, and JSON must be requested. */
export const githubTokens: Step = async (context, next) => {
  if (context.path !== '/github/token') return next()
  context.path = '/token'
  await next()
  if (context.status >= 400) context.status = 200
  if (context.get('accept') === 'application/json') return
  context.type = 'application/x-www-form-urlencoded'
  context.body = new URLSearchParams(context.body as Record<string, string>).toString()
}

/** The consent page: a button for each user, and one to deny. */
export function consentPage(provider: Provider, people: ReadonlyMap<string, Person>): Step {
  return async (context, next) => {
    if (!context.path.startsWith('/consent/')) return next()
    const { params } = await provider.interactionDetails(context.req, context.res)
    if (context.method === 'GET') {
      const buttons = Array.from(
        people.keys(),
        (login) => `<button name="person" value="${login}">${login}</button>`,
      )
      context.type = 'text/html'
      context.body = `<!doctype html><title>Sign in</title><h1>Sign in to ${String(params['client_id'])}</h1>
<form method="post">${buttons.join(' ')} <button name="cancel" value="true">Cancel</button></form>`
      return
    }
    const person = people.get(new URLSearchParams(await text(context.req)).get('person') ?? '')
    const result =
      person === undefined
        ? { error: 'access_denied', error_description: 'the person said no' }
        : { login: { accountId: subjectOf(person) } }
    context.status = 303
    context.redirect(await provider.interactionResult(context.req, context.res, result))
  }
}

/** The profiles of the fixed providers, for the holder of an access token. GitHub requires a user agent. */
export function profilePages(provider: Provider, people: ReadonlyMap<string, Person>): Step {
  return async (context, next) => {
    const shape = profileShapes[context.path]
    if (shape === undefined) return next()
    const token = await provider.AccessToken.find(context.get('authorization').replace(/^Bearer /, ''))
    const person = Array.from(people.values()).find((candidate) => subjectOf(candidate) === token?.accountId)
    if (token === undefined || person === undefined) return context.throw(401)
    if (context.path.startsWith('/github/') && context.get('user-agent') === '') return context.throw(403)
    context.type = 'application/json'
    context.body = JSON.stringify(shape(person, new URLSearchParams(context.querystring)))
  }
}
