import cluster from 'node:cluster'
import { isStopMessage, type ListeningMessage } from './messages.ts'

/** Reports to the primary that this worker serves, and obeys its messages from now on. */
export function reportListening({ url }: { readonly url: string }, stop: () => void): void {
  cluster.worker?.on('message', (message: unknown) => {
    if (isStopMessage(message)) stop()
  })
  cluster.worker?.send({ svcd: 'listening', url } satisfies ListeningMessage)
}
