import { MissingContainerError } from '../backend/backend.ts'
import type { StoreResponse } from './client.ts'
import { expectStatus } from './store-error.ts'

/** The container or the bucket of the files, with its key of the configuration. */
interface Container {
  readonly kind: 'container' | 'bucket'
  readonly name: string
  readonly option: string
}

/**
 * Reads the response to a request for a container.
 * @throws MissingContainerError; as `expectStatus` for other statuses
 */
export async function expectContainer(
  { kind, name, option }: Container,
  response: StoreResponse,
  ...statuses: readonly number[]
): Promise<void> {
  if (response.status === 404) {
    response.destroy()
    throw new MissingContainerError(kind, name, option)
  }
  await expectStatus(`the ${kind} ${name}`, response, ...statuses)
}

/**
 * Passes on the response to a request for an object. Stores report a missing container like a missing object.
 * @param requireContainer rejects when the container is missing
 * @throws what `requireContainer` rejects with
 */
export async function inContainer(
  response: StoreResponse,
  requireContainer: () => Promise<void>,
): Promise<StoreResponse> {
  if (response.status !== 404) return response
  try {
    await requireContainer()
    return response
  } catch (error) {
    response.destroy()
    throw error
  }
}
