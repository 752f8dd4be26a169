import cluster from 'node:cluster'
import { isStop, type Listening } from './messages.ts'

/** Tells the primary that this worker takes requests, and does what it says from now on. */
export function report({ url }: { readonly url: string }, stop: () => void): void {
  cluster.worker?.on('message', (message: unknown) => {
    if (isStop(message)) stop()
  })
  cluster.worker?.send({ svcd: 'listening', url } satisfies Listening)
}
