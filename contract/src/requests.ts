import type { ResponseOf, BodyOf, QueryOf } from './endpoint.ts'
import type { endpoints } from './endpoints/index.ts'

type Endpoints = typeof endpoints

/** What listings are asked for (specification §4, "Pagination parameters", "Upload filters"). */
export type UploadListing = QueryOf<Endpoints['listUploads']>
export type TokenListing = QueryOf<Endpoints['listMyTokens']>
export type UserListing = QueryOf<Endpoints['listUsers']>
export type UserSearch = QueryOf<Endpoints['searchUsers']>

/** First and last of the days whose figures are told, in UTC. */
export type DaysAskedFor = QueryOf<Endpoints['getDailyStats']>

/** The steps of a login of a command line. */
export type CliLoginRequest = BodyOf<Endpoints['startCliLogin']>
export type CliLoginCode = BodyOf<Endpoints['describeCliLogin']>
export type CliLoginApproval = BodyOf<Endpoints['approveCliLogin']>
export type CliLoginApproved = ResponseOf<Endpoints['approveCliLogin']>
export type CliLoginPoll = BodyOf<Endpoints['pollCliLogin']>
