import type { TObject, TSchema } from 'typebox'
import type { BodyOf, PathParameters, QueryOf, ResponseOf } from '../endpoints/endpoint.ts'
import type { EndpointAt, EndpointKey, endpoints, PathOf } from '../endpoints/index.ts'
import type { PathValues } from './links.ts'

type Endpoints = typeof endpoints

/** Queries of lists (docs/protocol.md#lists). */
export type UploadListing = QueryOf<Endpoints['listUploads']>
export type DownloadListing = QueryOf<Endpoints['listDownloads']>
export type RequestListing = QueryOf<Endpoints['listRequests']>
export type ReceivedListing = QueryOf<Endpoints['listRequestUploads']>
export type TokenListing = QueryOf<Endpoints['listMyTokens']>
export type DeliveryListing = QueryOf<Endpoints['listMyDeliveries']>
export type UserListing = QueryOf<Endpoints['listUsers']>
export type UserSearch = QueryOf<Endpoints['searchUsers']>

/** First and last day of daily statistics, in UTC. */
export type DailyStatsQuery = QueryOf<Endpoints['getDailyStats']>

/** The steps of a command-line sign-in. */
export type CliLoginRequest = BodyOf<Endpoints['startCliLogin']>
export type CliLoginCode = BodyOf<Endpoints['describeCliLogin']>
export type CliLoginApproval = BodyOf<Endpoints['approveCliLogin']>
export type CliLoginApproved = ResponseOf<Endpoints['approveCliLogin']>
export type CliLoginPoll = BodyOf<Endpoints['pollCliLogin']>

/** A property that can be absent if all properties inside it can be. */
type Field<Name extends string, Value> =
  Partial<Value> extends Value ? { readonly [N in Name]?: Value } : { readonly [N in Name]: Value }

type PathField<K extends EndpointKey> = [PathParameters<PathOf<K>>] extends [never]
  ? unknown
  : { readonly params: PathValues<K> }
type QueryField<K extends EndpointKey> =
  EndpointAt<K> extends { readonly query: TObject } ? Field<'query', QueryOf<EndpointAt<K>>> : unknown
type BodyField<K extends EndpointKey> =
  EndpointAt<K> extends { readonly body: { readonly type: 'application/json'; readonly schema: TSchema } }
    ? EndpointAt<K> extends { readonly bodyOptional: true }
      ? { readonly body?: BodyOf<EndpointAt<K>> }
      : { readonly body: BodyOf<EndpointAt<K>> }
    : unknown

/** What a request to an endpoint has: the values of its path's parameters, its query, and its body if that is JSON. */
export type RequestTo<K extends EndpointKey> = PathField<K> & QueryField<K> & BodyField<K>

/** The response of an endpoint: the value of its JSON, or a text. */
export type ResponseFrom<K extends EndpointKey> = ResponseOf<EndpointAt<K>>

/** The endpoints whose response is JSON. */
export type JsonEndpointKey = {
  [K in EndpointKey]: EndpointAt<K>['response'] extends { readonly type: 'application/json' } ? K : never
}[EndpointKey]
