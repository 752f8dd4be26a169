/** A chain of steps before a handler (docs/protocol.md#request-handling). */
import type { ChainName } from '@svc/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../../core/service.ts'

export interface RequestContext {
  readonly service: Service
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

type Awaitable<Value> = Value | Promise<Value>

/** Checks a request, and adds its result to the context or throws. */
export type Step<Needs, Adds extends object> = (context: Needs) => Awaitable<Adds>

export type Handler = (context: RequestContext) => Awaitable<unknown>

/** A handler after all steps of a chain. */
export interface Chained<Name extends ChainName> {
  readonly chain: Name
  readonly handle: Handler
}

/**
 * Steps that run in sequence before a handler. A handler declares the context that it needs: a route that lacks a step
 * does not compile. The name is that of the contract: a route with another chain does not compile either.
 */
export interface Chain<Context extends RequestContext, Name extends ChainName> {
  use<Adds extends object>(step: Step<Context, Adds>): Chain<Context & Adds, Name>
  /** The same steps as the beginning of another chain. */
  as<Other extends ChainName>(name: Other): Chain<Context, Other>
  /** Body and query are valid when the handler runs; steps use neither. */
  to(handle: (context: Context) => unknown): Chained<Name>
}

type AnyStep = (context: never) => Awaitable<object>

function chain<Context extends RequestContext, Name extends ChainName>(
  name: Name,
  steps: readonly AnyStep[],
): Chain<Context, Name> {
  return {
    use: (step) => chain(name, [...steps, step]),
    as: (other) => chain(other, steps),
    to: (handle) => ({ chain: name, handle: (start) => run(start as Context, steps, handle) }),
  }
}

/** Synchronous as far as the steps are, which saves requests without asynchronous steps their promises. */
function run<Context extends RequestContext>(
  context: Context,
  steps: readonly AnyStep[],
  handle: (context: Context) => unknown,
): unknown {
  for (const [index, step] of steps.entries()) {
    // Each step was type-checked against the steps before it; here only their order matters.
    const added = step(context as never)
    if (added instanceof Promise)
      return added.then((later: object) => run(Object.assign(context, later), steps.slice(index + 1), handle))
    Object.assign(context, added)
  }
  const { validationError } = context.request
  if (validationError) throw validationError
  return handle(context)
}

export const baseChain: Chain<RequestContext, 'empty'> = chain('empty', [])
