import * as Type from 'typebox'
import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from '../base/codes.ts'

/** The middleware chain of a route (docs/protocol.md#request-handling). */
export type ChainName = 'empty' | 'standard' | 'auth' | 'token' | 'authenticated' | 'admin'

/**
 * The format of error responses: JSON; plain text where clients such as curl print the response; problem details
 * (RFC 9457) where a protocol requires them.
 */
export type ErrorFormat = 'json' | 'text' | 'problem'

/** JSON of a schema, a form with one file, content of another media type, or nothing. */
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
        | 'text/event-stream'
    }

/** A request header that is specific to an endpoint. */
export interface RequestHeader {
  readonly description: string
  readonly required?: boolean
  /** A regular expression of its values. */
  readonly pattern?: string
}

/** An endpoint: its request, its chain, and its possible responses. */
export interface Endpoint {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** A route that serves bytes of files: it handles HEAD itself, and OPTIONS before it loads anything. */
  readonly download?: true
  readonly path: string
  readonly chain: ChainName
  readonly tag: string
  readonly summary: string
  /** What a client needs to know beyond the summary and the schemas. */
  readonly description: string
  readonly query?: TObject
  /** The request headers that are specific to this endpoint, by name: their description alone if any text is valid. */
  readonly requestHeaders?: Readonly<Record<string, string | RequestHeader>>
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly body?: Content
  readonly bodyOptional?: true
  readonly response: Content
  /** A status other than 200, where another protocol requires it. */
  readonly success?: 201 | 204
  /**
   * Further statuses with the content type of `response`, each with its meaning: other successes, and pages that explain an error.
   */
  readonly otherStatuses?: Readonly<Record<number, string>>
  /** When and to where the response is a redirect (302); absent if it never is. */
  readonly redirectDescription?: string
  readonly errors: readonly ErrorCode[]
  /** The format of error responses, if it is not JSON. */
  readonly errorFormat?: ErrorFormat
}

/** The names of the parameters of a path template: `/upload/{uploadID}` has `uploadID`. */
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

/** Keeps the literal types of an endpoint for the client and the server, and checks its shape: a property of another name is an error. */
export const endpoint = <const E extends Endpoint>(
  definition: E & Readonly<Record<Exclude<keyof E, keyof Endpoint>, never>>,
): E => definition

export const json = <const S extends TSchema>(schema: S) => ({ type: 'application/json', schema }) as const
export const text = { type: 'text/plain' } as const
export const none = { type: 'none' } as const
/** A part of a file, by the media types of the IETF draft and of tus. */
export const partialBytes = { type: 'application/partial-upload' } as const
export const tusBytes = { type: 'application/offset+octet-stream' } as const
/** A number of bytes in a header. */
export const bytesPattern = '^[0-9]{1,16}$'
/** The header of a request that appends a part. */
export const partOffset = {
  'Upload-Offset': {
    description: 'The offset of the part: the number of bytes that are stored.',
    required: true,
    pattern: bytesPattern,
  },
} as const
export const bytes = { type: 'application/octet-stream' } as const
/** The schema of the query parameter that ends an event stream after this many seconds. */
export const eventStreamTimeout = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400, description }))
