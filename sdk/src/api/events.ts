import type { UploadEvent } from '@svc/contract'
import type { Connection } from '../http/connection.ts'
import type { EventStreamOptions, ReceivedEvent, UploadEventOptions } from './event-stream.ts'

/** Server-sent events. Few pages listen, so the code is loaded on use. */
export function eventCalls(connection: Connection) {
  const load = () => import('./event-stream.ts')
  return {
    /** The events of the caller (docs/notifications.md). */
    async *myEvents(options?: EventStreamOptions): AsyncGenerator<ReceivedEvent> {
      yield* (await load()).receiveEvents(connection, options)
    },
    /** The changes of uploads (docs/protocol.md#changes-of-uploads), 1 to `limits.watchedUploads` by their ids. */
    async *uploadEvents(
      uploadIDs: readonly string[],
      options?: UploadEventOptions,
    ): AsyncGenerator<UploadEvent> {
      yield* (await load()).receiveUploadEvents(connection, uploadIDs, options)
    },
  }
}
