/** What every chain begins with (specification §1: "a per-request context is created"). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../core/service.ts'

export interface RequestContext {
  readonly service: Service
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

type Awaitable<Value> = Value | Promise<Value>

/** Looks at a request, and adds what it found to the context or throws. */
export type Step<Needs, Adds extends object> = (context: Needs) => Awaitable<Adds>

export type Handler = (context: RequestContext) => Awaitable<unknown>

/**
 * Steps that run one after the other before a handler. A handler states the context that it needs,
 * so that one which forgets a step does not compile.
 */
export interface Chain<Context extends RequestContext> {
  use<Adds extends object>(step: Step<Context, Adds>): Chain<Context & Adds>
  /** Body and query of the request are valid when the handler gets it; steps before it use neither. */
  to(handle: (context: Context) => unknown): Handler
}

type AnyStep = (context: never) => Awaitable<object>

function chain<Context extends RequestContext>(steps: readonly AnyStep[]): Chain<Context> {
  return {
    use: (step) => chain([...steps, step]),
    to: (handle) => async (start) => {
      // Each step was type-checked against what those before it add; here only their order counts.
      const context = start as Context
      for (const step of steps) {
        const added = step(context as never)
        Object.assign(context, added instanceof Promise ? await added : added)
      }
      const { validationError } = context.request
      if (validationError) throw validationError
      return handle(context)
    },
  }
}

export const emptyChain: Chain<RequestContext> = chain([])
