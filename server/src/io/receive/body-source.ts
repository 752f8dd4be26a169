import type { Readable } from 'node:stream'
import { ignore } from '../../domain/ignore.ts'

/** The source was closed before its end, without an error. */
export class SourceClosedError extends Error {
  override readonly name = 'SourceClosedError'
}

/** The body was cancelled before its end. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError'
}

export interface BodyEvents {
  readonly onData: (chunk: Buffer) => void
  readonly onEnd: () => void
  /** Called with the error of the source, the reason of the signal, or SourceClosedError; perhaps with several of them. */
  readonly onFailure: (error: unknown) => void
}

/** The source of a body, with all its ways to fail. The source is never destroyed. */
export interface BodySource {
  /** Starts to listen. Reports an earlier failure at once, after the bytes that arrived before it. */
  readonly begin: () => void
  /** Stops reading from the source. */
  readonly detach: () => void
  /** Stops listening to the signal. */
  readonly settle: () => void
}

export function bodySource(
  source: Readable,
  signal: AbortSignal,
  { onData, onEnd, onFailure }: BodyEvents,
): BodySource {
  const onClose = () => {
    onFailure(new SourceClosedError('the source was closed before its end'))
  }
  const onAbort = () => {
    onFailure(signal.reason)
  }
  return {
    begin() {
      signal.addEventListener('abort', onAbort)
      if (signal.aborted || source.destroyed || source.readableEnded) {
        const received = source.read() as Buffer | null
        if (received !== null) onData(received)
        if (signal.aborted) onAbort()
        else onClose()
      } else source.on('data', onData).on('end', onEnd).on('error', onFailure).on('close', onClose)
    },
    detach() {
      source.off('data', onData).off('end', onEnd).off('error', onFailure).off('close', onClose)
      // A later error, such as from destroying the source, must not end the process.
      source.on('error', ignore)
    },
    settle() {
      signal.removeEventListener('abort', onAbort)
    },
  }
}
