import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './codes.ts'

/** The middleware chain of a route (specification §1, "Request handling order"). */
export type ChainName = 'empty' | 'standard' | 'auth' | 'token' | 'authenticated' | 'admin'

/** JSON of a schema, a text, bytes that nothing describes but their media type, or nothing. */
export type Content =
  | { readonly type: 'none' }
  | { readonly type: 'application/json'; readonly schema: TSchema }
  | { readonly type: 'multipart/form-data'; readonly field: string }
  | {
      readonly type:
        | 'text/plain'
        | 'application/octet-stream'
        | 'application/offset+octet-stream'
        | 'application/partial-upload'
        | 'application/zip'
        | 'image/png'
        | 'text/html'
    }

/** One line of the interface: what may be asked, by whom, and what may come back. */
export interface Endpoint {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** GET routes that answer HEAD in their own way, and OPTIONS before anything is loaded. */
  readonly download?: true
  readonly path: string
  readonly chain: ChainName
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly query?: TObject
  /** Headers of the request and of its answer that have a meaning of their own here, by name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly body?: Content
  readonly bodyOptional?: true
  readonly response: Content
  /** Where another protocol wants another status than 200. */
  readonly success?: 201 | 204
  /** When the answer is another address instead (302). */
  readonly redirects?: string
  readonly errors: readonly ErrorCode[]
}

/** Names the parameters of a path template: `/upload/{uploadID}` has `uploadID`. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never

export type BodyOf<E extends Endpoint> = E['body'] extends { readonly schema: infer S extends TSchema }
  ? Static<S>
  : undefined
export type QueryOf<E extends Endpoint> = E['query'] extends TObject
  ? Static<E['query']>
  : Record<string, never>
export type ResponseOf<E extends Endpoint> = E['response'] extends {
  readonly schema: infer S extends TSchema
}
  ? Static<S>
  : string

/** Keeps the literal types of an endpoint for the client and the server, and checks its form. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition

export const json = <const S extends TSchema>(schema: S) => ({ type: 'application/json', schema }) as const
export const text = { type: 'text/plain' } as const
export const none = { type: 'none' } as const
/** A piece of a file, as tus and as the IETF call it. */
export const partialBytes = { type: 'application/partial-upload' } as const
export const tusBytes = { type: 'application/offset+octet-stream' } as const
export const bytes = { type: 'application/octet-stream' } as const
