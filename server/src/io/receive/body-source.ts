import type { Readable } from 'node:stream'

/** The source was closed before its end, without an error. */
export class SourceClosedError extends Error {
  override readonly name = 'SourceClosedError'
}

/** The body was given up before its end. */
export class AbandonedError extends Error {
  override readonly name = 'AbandonedError'
}

export interface BodyEvents {
  readonly onData: (chunk: Buffer) => void
  readonly onEnd: () => void
  /** The error of the source, the reason of the signal, or SourceClosedError; perhaps more than one of them. */
  readonly onFailure: (error: unknown) => void
}

/** Where a body comes from, with every way in which it can break off. The source is never destroyed. */
export interface BodySource {
  /** Begins to listen; what has broken off before is told at once. */
  readonly begin: () => void
  /** Takes nothing more from the source. */
  readonly detach: () => void
  /** Does not heed the signal any longer. */
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
      if (signal.aborted) onAbort()
      else if (source.destroyed || source.readableEnded) onClose()
      else source.on('data', onData).on('end', onEnd).on('error', onFailure).on('close', onClose)
    },
    detach() {
      source.off('data', onData).off('end', onEnd).off('error', onFailure).off('close', onClose)
      // An error that comes later, such as when the source is destroyed, must not stop the process.
      source.on('error', ignore)
    },
    settle() {
      signal.removeEventListener('abort', onAbort)
    },
  }
}

function ignore(): void {
  // Deliberately nothing.
}
