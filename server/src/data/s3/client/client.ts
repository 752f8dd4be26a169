import type { AgentOptions } from 'node:https'
import type * as Sdk from '@aws-sdk/client-s3'
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import type { S3Config } from '../../../config/s3-config.ts'

export type S3BackendOptions = Omit<S3Config, 'kind'>

/** Milliseconds. */
export interface S3Timeouts {
  /** To connect. */
  readonly connect: number
  /** Without data on a connection. */
  readonly idle: number
  /** Delays before each retry. */
  readonly retries: readonly number[]
}

/** Long enough for the restart of a store, short enough for a waiting client. */
export const defaultTimeouts: S3Timeouts = {
  connect: 5_000,
  idle: 30_000,
  retries: [100, 200, 400, 800, 1_600, 3_000, 3_000],
}

export interface S3 {
  readonly sdk: typeof Sdk
  readonly options: S3BackendOptions
  readonly timeouts: S3Timeouts
  /** For requests with a short response, whose connections must not idle. */
  readonly writeClient: S3Client
  /** For downloads: the recipient may be slow, but the first response of the store may not. */
  readonly readClient: S3Client
  /** For health checks: without retries, and without kept connections, which may be stale. */
  readonly probeClient: S3Client
  /** Bucket and name of the object of a key. */
  readonly location: (key: string) => { readonly Bucket: string; readonly Key: string }
}

/** Imports the SDK only when S3 is used. */
export async function connectS3(options: S3BackendOptions, timeouts: S3Timeouts): Promise<S3> {
  const sdk = await import('@aws-sdk/client-s3')
  const { connect, idle } = timeouts
  // Each download needs a connection.
  const withAgent = (agent: AgentOptions) => ({
    connectionTimeout: connect,
    httpAgent: agent,
    httpsAgent: agent,
  })
  const common = withAgent({ maxSockets: Infinity, keepAlive: true })
  const client = (
    requestHandler: NonNullable<S3ClientConfig['requestHandler']>,
    retries: readonly number[] = timeouts.retries,
  ) => withoutBodyHash(new sdk.S3Client({ ...settings(options, retries), requestHandler }))
  return {
    sdk,
    options,
    timeouts,
    writeClient: client({ ...common, socketTimeout: idle }),
    readClient: client({ ...common, requestTimeout: idle, throwOnRequestTimeout: true }),
    probeClient: client({ ...withAgent({ keepAlive: false }), socketTimeout: idle }, []),
    location: (key) => ({ Bucket: options.bucket, Key: options.prefix + key }),
  }
}

function settings(options: S3BackendOptions, retries: readonly number[]): S3ClientConfig {
  const { endpoint, region, accessKeyID, secretAccessKey, pathStyle } = options
  return {
    region,
    forcePathStyle: pathStyle,
    // Other stores than AWS do not support newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would need another connection for each part.
    expectContinueHeader: false,
    retryStrategy: retryStrategy(retries),
    ...(endpoint !== '' && { endpoint }),
    ...(accessKeyID !== '' && { credentials: { accessKeyId: accessKeyID, secretAccessKey } }),
  }
}

/**
 * The SDK hashes each body for its signature: SHA-256 of a part of 16 MiB blocks the event loop for 40 ms. A body that is
 * not hashed is declared as such (Signature Version 4, "unsigned payload"); TLS protects it.
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

/** The SDK also names refused and reset connections "TimeoutError", but these keep their code. */
function hasTimedOut(error: unknown): boolean {
  const { name, code } = error as { readonly name?: string; readonly code?: string }
  return name === 'TimeoutError' && (code === undefined || code === 'ETIMEDOUT')
}

/** A timeout takes long: it counts as this many other failures. */
const timeoutWeight = 3

/** Retries temporary errors after each of the pauses. */
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
        return Promise.reject(new Error('no retries left'))
      return Promise.resolve(token(retries + 1, pause))
    },
    recordSuccess: () => undefined,
  }
}
