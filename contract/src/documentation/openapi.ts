import type { TSchema } from 'typebox'
import { errorCodes, type ErrorCode } from '../base/codes.ts'
import type { Content, Endpoint, ErrorFormat, RequestHeader } from '../endpoints/endpoint.ts'
import { cookies, headers } from '../base/names.ts'
import { ErrorBody, Problem } from '../resources/error.ts'
import { requestSchema } from './request-schema.ts'
import { tagDescriptions } from './tags.ts'

type Json = Readonly<Record<string, unknown>>

const errorContent: Readonly<Record<ErrorFormat, Json>> = {
  json: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  text: { 'text/plain': { schema: { type: 'string' } } },
  problem: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

/** A malformed header `Host` is an error of every endpoint. */
const commonErrors = ['invalid_request'] as const

const securitySchemes = {
  uploadToken: {
    type: 'apiKey',
    in: 'header',
    name: headers.uploadToken,
    description: 'Token of one upload.',
  },
  requestToken: {
    type: 'apiKey',
    in: 'header',
    name: headers.requestToken,
    description: 'Token of one upload request.',
  },
  userToken: { type: 'apiKey', in: 'header', name: headers.userToken, description: 'Token of a user.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: cookies.session,
    description: 'A browser that is signed in.',
  },
  xsrfToken: {
    type: 'apiKey',
    in: 'header',
    name: headers.xsrfToken,
    description: `With a session, requests that change something repeat the cookie ${cookies.xsrf} in this header.`,
  },
  uploadPassword: { type: 'http', scheme: 'basic', description: 'Login and password of a protected upload.' },
}

function mediaTypes(content: Exclude<Content, { type: 'none' }>, schemas: Record<string, TSchema>): Json {
  switch (content.type) {
    case 'application/json':
      return { [content.type]: { schema: schemaReference(content.schema, schemas) } }
    case 'multipart/form-data':
      return {
        [content.type]: {
          schema: {
            type: 'object',
            required: [content.field],
            properties: { [content.field]: { type: 'string', format: 'binary' } },
          },
        },
      }
    case 'text/plain':
    case 'text/html':
    case 'text/event-stream':
      return { [content.type]: { schema: { type: 'string' } } }
    case 'application/octet-stream':
    case 'application/offset+octet-stream':
    case 'application/partial-upload':
    case 'application/zip':
    case 'image/png':
      return { [content.type]: { schema: { type: 'string', format: 'binary' } } }
  }
}

const requestContent = <Body extends Content>(body: Body): Body =>
  body.type === 'application/json' ? { ...body, schema: requestSchema(body.schema) } : body

/** Schemas with a title become components, so that a generated client has one type for each. */
function schemaReference(schema: TSchema, schemas: Record<string, TSchema>): Json {
  const { title } = schema as { title?: string }
  if (title === undefined) return schema as Json
  schemas[title] = schema
  return { $ref: `#/components/schemas/${title}` }
}

function errorResponses({ errors, errorFormat = 'json' }: Endpoint): Json {
  const byStatus = Map.groupBy(new Set<ErrorCode>([...errors, ...commonErrors]), (code) => errorCodes[code])
  return Object.fromEntries(
    [...byStatus].map(([status, codesOfStatus]) => [
      String(status),
      {
        description: codesOfStatus.map((code) => `\`${code}\``).join(', '),
        content: errorContent[errorFormat],
      },
    ]),
  )
}

function parameters(endpoint: Endpoint): Json[] {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const required: readonly string[] = endpoint.query?.required ?? []
  const inQuery = Object.entries(endpoint.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
  const inHeader = Object.entries(endpoint.requestHeaders ?? {}).map(([name, header]) => {
    const {
      description,
      required = false,
      pattern,
    }: RequestHeader = typeof header === 'string' ? { description: header } : header
    const schema = { type: 'string', ...(pattern !== undefined && { pattern }) }
    return { name, in: 'header', required, description, schema }
  })
  return [...inPath, ...inQuery, ...inHeader]
}

function successes(endpoint: Endpoint, schemas: Record<string, TSchema>): Json {
  const { response, responseHeaders, success = 200, otherStatuses } = endpoint
  const headers = Object.entries(responseHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  const content = response.type === 'none' ? undefined : mediaTypes(response, schemas)
  return Object.fromEntries(
    Object.entries({ [success]: 'Success', ...otherStatuses }).map(([status, description]) => [
      status,
      {
        description,
        ...(headers.length > 0 && { headers: Object.fromEntries(headers) as Json }),
        ...(content && status !== '204' && { content }),
      },
    ]),
  )
}

/** Each entry is an alternative; the schemes of one entry are required together. */
function securityOf({ chain, method }: Endpoint): Json {
  const session = method === 'GET' ? { session: [] } : { session: [], xsrfToken: [] }
  switch (chain) {
    case 'empty':
    case 'standard':
      return { security: [] }
    case 'auth':
      return { security: [{}, session] }
    case 'token':
      return {
        security: [
          {},
          { uploadToken: [] },
          { requestToken: [] },
          { userToken: [] },
          { uploadPassword: [] },
          session,
        ],
      }
    case 'authenticated':
    case 'admin':
      return { security: [session] }
  }
}

function operation(id: string, endpoint: Endpoint, schemas: Record<string, TSchema>): Json {
  return {
    operationId: id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description,
    ...securityOf(endpoint),
    parameters: parameters(endpoint),
    ...(endpoint.body &&
      endpoint.body.type !== 'none' && {
        requestBody: {
          required: endpoint.bodyOptional !== true,
          content: mediaTypes(requestContent(endpoint.body), schemas),
        },
      }),
    responses: {
      ...successes(endpoint, schemas),
      ...(endpoint.download && { 206: { description: 'The requested range' } }),
      ...(endpoint.redirectDescription !== undefined && {
        302: { description: endpoint.redirectDescription },
      }),
      ...(endpoint.download && { 304: { description: 'Not modified' } }),
      ...errorResponses(endpoint),
    },
  }
}

/** What all endpoints have in common, for authors of clients. */
const introduction = [
  'An upload contains files and expires after its time to live. With its token (`uploadToken` of the response that creates it) ' +
    'a client adds and removes files; the id of the upload is enough to download.',
  'The link of a file is `/file/{uploadID}/{fileID}/{fileName}`, with each segment of the name percent-encoded, below the `downloadURL` ' +
    'of its upload, or below this server if there is none. The page of an upload is `/#/?id={uploadID}`.',
  'Sizes are bytes, lifetimes seconds. An error is JSON with `message` and `code`, unless an endpoint says otherwise: codes are stable, ' +
    'messages may change. Any request can fail with 503 `unavailable` while the database or the data store is unreachable, and any change with 507 `database_full`; ' +
    '`Retry-After` is the number of seconds to wait.',
].join('\n\n')

/**
 * The OpenAPI 3.1 description of endpoints.
 * @param endpoints by operation name
 * @param info version of the service and base URL of the paths
 */
export function openApi(
  endpoints: Readonly<Record<string, Endpoint>>,
  info: { readonly version: string; readonly baseURL: string },
): Json {
  const schemas: Record<string, TSchema> = { Error: ErrorBody, Problem }
  const paths: Record<string, Record<string, Json>> = {}
  for (const [id, endpoint] of Object.entries(endpoints)) {
    const path = (paths[endpoint.path] ??= {})
    path[endpoint.method.toLowerCase()] = operation(id, endpoint, schemas)
    if (endpoint.download) {
      path['head'] = operation(
        `${id}Head`,
        { ...endpoint, summary: `${endpoint.summary}: headers only` },
        schemas,
      )
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Svc',
      version: info.version,
      summary: 'Temporary file uploads.',
      description: introduction,
      contact: { name: 'The operator of this server' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: info.baseURL }],
    tags: [...new Set(Object.values(endpoints).map(({ tag }) => tag))].map((name) => ({
      name,
      description: tagDescriptions[name],
    })),
    paths,
    components: { schemas, securitySchemes },
  }
}
