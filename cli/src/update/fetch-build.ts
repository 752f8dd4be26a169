import { createHash } from 'node:crypto'
import { open, rename, rm, stat, unlink } from 'node:fs/promises'
import type { ClientBuild } from '@svc/contract'
import { ApiError } from '@svc/sdk'
import { Failure, localFailure } from '../errors/failure.ts'
import { errorMessage, systemCode } from '../errors/error-message.ts'
import { printable } from '@svc/terminal'
import { verifiedComment, type SigningKey } from './minisign.ts'
import { withNetworkErrors } from '../http/network-errors.ts'
import { createNodeFetch, type NodeFetchOptions } from '../http/node-fetch.ts'

/** Where programs come from, and how they are fetched. */
export interface BuildSource {
  /** Address of the server, without a slash at the end. */
  readonly server: string
  readonly environment: NodeFetchOptions['environment']
  readonly insecure: boolean
  readonly signal: AbortSignal
  readonly platform: NodeJS.Platform
}

/** Proves that a program was signed by the publisher of this svc. Without it, only the server's checksum is verified. */
export interface ExpectedSignature {
  readonly key: SigningKey
  /** The version that the signature must name: an older program has a valid signature, too. */
  readonly version: string
}

/**
 * Replaces a program with one from the server, atomically and with the same mode. Until the new one is complete and
 * verified, the old one stays.
 * @throws Failure, ApiError, the signal's reason
 */
export async function replaceWith(
  source: BuildSource,
  build: ClientBuild,
  path: string,
  expected: ExpectedSignature | undefined,
): Promise<void> {
  const newFile = `${path}.new`
  // A killed update may have left it behind.
  await rm(newFile, { force: true })
  try {
    const digest = await fetchTo(source, build, newFile, (await stat(path)).mode)
    if (expected !== undefined) await requireSigned(source, build, expected, digest)
    await swap(source, newFile, path)
  } catch (error) {
    await unlink(newFile).catch(() => undefined)
    if (systemCode(error) === undefined || error instanceof ApiError) throw error
    throw localFailure(`${path}: ${errorMessage(error)}`, error)
  }
}

async function fetchTo(
  { server, environment, insecure, signal }: BuildSource,
  { path, size, sha256 }: ClientBuild,
  file: string,
  mode: number,
): Promise<Buffer> {
  const hash = createHash('sha256')
  const signatureHash = createHash('blake2b512')
  await using target = await open(file, 'wx', mode)
  // The umask of this process may have removed bits from the new file.
  await target.chmod(mode)
  let bytes = 0
  for await (const chunk of await bytesAt(server + path, { environment, insecure, signal })) {
    bytes += chunk.length
    if (bytes > size) break
    hash.update(chunk)
    signatureHash.update(chunk)
    await target.write(chunk)
  }
  signal.throwIfAborted()
  if (bytes !== size || hash.digest('hex') !== sha256)
    throw new Failure(
      'the download does not match the size or SHA-256 that the server announced; nothing was changed',
    )
  await target.sync()
  return signatureHash.digest()
}

/** Bytes. A signature is shorter. */
const maxSignatureBytes = 10_000

/** @throws Failure */
async function requireSigned(
  { server, environment, insecure, signal }: BuildSource,
  { path }: ClientBuild,
  { key, version }: ExpectedSignature,
  digest: Buffer,
): Promise<void> {
  let signature = ''
  for await (const chunk of await bytesAt(`${server}${path}.minisig`, { environment, insecure, signal })) {
    signature += Buffer.from(chunk).toString('latin1')
    if (signature.length > maxSignatureBytes) break
  }
  const comment = verifiedComment(key, signature, digest)
  if (comment === undefined)
    throw new Failure('the program is not signed with the key of this svc; nothing was changed')
  if (!comment.split(/\s+/).includes(version))
    throw new Failure(
      `the signature is of “${printable(comment)}”, and not of version ${printable(version)}; nothing was changed`,
    )
}

async function bytesAt(
  url: string,
  { signal, ...options }: Pick<BuildSource, 'environment' | 'insecure' | 'signal'>,
): Promise<AsyncIterable<Uint8Array>> {
  const response = await createNodeFetch(options)(url, { signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw new ApiError(0, 'network', 'the server cannot be reached', { cause: error })
  })
  // A redirect is not followed: programs come only from the requested server.
  if (response.status === 200 && response.body !== null) return withNetworkErrors(response.body, signal)
  await response.body?.cancel()
  throw new Failure(
    `the server responded with ${String(response.status)} instead of ${new URL(url).pathname}`,
  )
}

/** Windows lets a program that runs be renamed, but neither replaced nor removed. */
async function swap({ platform }: BuildSource, newFile: string, path: string): Promise<void> {
  if (platform !== 'win32') {
    await rename(newFile, path)
    return
  }
  const old = `${path}.old`
  await rm(old, { force: true }).catch(() => undefined)
  await rename(path, old)
  try {
    await rename(newFile, path)
  } catch (error) {
    await rename(old, path)
    throw error
  }
}
