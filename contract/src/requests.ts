import type { ResponseOf, BodyOf, QueryOf } from './endpoint.ts'
import type { endpoints } from './endpoints/index.ts'

type Endpoints = typeof endpoints

/** Queries of lists (docs/protocol.md#lists). */
export type UploadListing = QueryOf<Endpoints['listUploads']>
export type TokenListing = QueryOf<Endpoints['listMyTokens']>
export type UserListing = QueryOf<Endpoints['listUsers']>
export type UserSearch = QueryOf<Endpoints['searchUsers']>

/** First and last day of daily statistics, in UTC. */
export type DailyStatsQuery = QueryOf<Endpoints['getDailyStats']>

/** The steps of a command-line login. */
export type CliLoginRequest = BodyOf<Endpoints['startCliLogin']>
export type CliLoginCode = BodyOf<Endpoints['describeCliLogin']>
export type CliLoginApproval = BodyOf<Endpoints['approveCliLogin']>
export type CliLoginApproved = ResponseOf<Endpoints['approveCliLogin']>
export type CliLoginPoll = BodyOf<Endpoints['pollCliLogin']>
