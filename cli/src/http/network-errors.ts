import { ApiError } from '@svc/sdk'

/**
 * The items of a connection.
 * @throws ApiError `network` when the connection breaks; the signal's reason
 */
export async function* withNetworkErrors<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item, void> {
  try {
    yield* items
  } catch (error) {
    signal.throwIfAborted()
    throw new ApiError(0, 'network', 'the connection was cut', { cause: error })
  }
}
