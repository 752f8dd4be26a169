import type { AgentOptions } from 'node:https'
import type * as Sdk from '@aws-sdk/client-s3'
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import type { S3Config } from '../../config/s3-config.ts'

export type S3BackendOptions = Omit<S3Config, 'kind'>

/** Milliseconds. */
export interface S3Patience {
  /** To connect. */
  readonly connect: number
  /** Without anything moving on a connection. */
  readonly idle: number
  /** Before each further try of a request. */
  readonly retries: readonly number[]
}

/** A store that restarts is waited for; a client that waits for its answer is not kept for long. */
export const usualPatience: S3Patience = {
  connect: 5_000,
  idle: 30_000,
  retries: [100, 200, 400, 800, 1_600, 3_000, 3_000],
}

export interface S3 {
  readonly sdk: typeof Sdk
  readonly options: S3BackendOptions
  readonly patience: S3Patience
  /** For requests whose answer is short: their connections may not idle. */
  readonly writing: S3Client
  /** For downloads: whoever takes them may be slow, the store's first answer may not. */
  readonly reading: S3Client
  /** For questions that are asked again soon: nothing is tried twice, nor on a connection that may have gone. */
  readonly asking: S3Client
  /** Bucket and name of what is stored under a key. */
  readonly place: (key: string) => { readonly Bucket: string; readonly Key: string }
}

/** The SDK is loaded here, so that nobody else pays for it. */
export async function connectS3(options: S3BackendOptions, patience: S3Patience): Promise<S3> {
  const sdk = await import('@aws-sdk/client-s3')
  const { connect, idle } = patience
  // One connection each for as many downloads as there are.
  const withAgent = (agent: AgentOptions) => ({
    connectionTimeout: connect,
    httpAgent: agent,
    httpsAgent: agent,
  })
  const common = withAgent({ maxSockets: Infinity, keepAlive: true })
  const client = (
    requestHandler: NonNullable<S3ClientConfig['requestHandler']>,
    retries: readonly number[] = patience.retries,
  ) => withoutBodyHash(new sdk.S3Client({ ...settings(options, retries), requestHandler }))
  return {
    sdk,
    options,
    patience,
    writing: client({ ...common, socketTimeout: idle }),
    reading: client({ ...common, requestTimeout: idle, throwOnRequestTimeout: true }),
    asking: client({ ...withAgent({ keepAlive: false }), socketTimeout: idle }, []),
    place: (key) => ({ Bucket: options.bucket, Key: options.prefix + key }),
  }
}

function settings(options: S3BackendOptions, retries: readonly number[]): S3ClientConfig {
  const { endpoint, region, accessKeyID, secretAccessKey, pathStyle } = options
  return {
    region,
    forcePathStyle: pathStyle,
    // Other stores than AWS know no newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would cost a connection of its own for each part.
    expectContinueHeader: false,
    retryStrategy: retryStrategy(retries),
    ...(endpoint !== '' && { endpoint }),
    ...(accessKeyID !== '' && { credentials: { accessKeyId: accessKeyID, secretAccessKey } }),
  }
}

/**
 * The SDK hashes each body for its signature: SHA-256 of a part of 16 MiB keeps the event loop for 40 ms. A body that
 * is not hashed has to be said to be so (Signature Version 4, "unsigned payload"); TLS protects it.
 */
function withoutBodyHash(client: S3Client): S3Client {
  client.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { readonly body?: unknown; readonly headers: Record<string, string> }
      if (request.body instanceof Uint8Array) request.headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD'
      return next(args)
    },
    { step: 'build', name: 'withoutBodyHash' },
  )
  return client
}

type RetryStrategy = Extract<
  Exclude<S3ClientConfig['retryStrategy'], undefined>,
  { readonly acquireInitialRetryToken: unknown }
>

/** The SDK gives connections that were refused or reset the name of a timeout, too; these keep their code. */
function hasTimedOut(error: unknown): boolean {
  const { name, code } = error as { readonly name?: string; readonly code?: string }
  return name === 'TimeoutError' && (code === undefined || code === 'ETIMEDOUT')
}

/** A timeout has taken its time already: it counts as so many other failures. */
const timeoutWeight = 3

/** What failed for a reason that may pass is tried again after the next pause, as long as there is one. */
function retryStrategy(pauses: readonly number[]): RetryStrategy {
  const token = (retries: number, pause: number) => ({
    getRetryCount: () => retries,
    getRetryDelay: () => pause,
  })
  return {
    acquireInitialRetryToken: () => Promise.resolve(token(0, 0)),
    refreshRetryTokenForRetry(before, { error, errorType }) {
      const weight = hasTimedOut(error) ? timeoutWeight : 1
      const retries = before.getRetryCount() + weight - 1
      const pause = pauses[retries]
      if (pause === undefined || errorType === 'CLIENT_ERROR')
        return Promise.reject(new Error('no further try'))
      return Promise.resolve(token(retries + 1, pause))
    },
    recordSuccess: () => undefined,
  }
}
