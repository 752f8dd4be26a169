import { fileNotFound } from '../../domain/not-found-errors.ts'
import { isExpired } from '../../domain/limits/lifetime.ts'
import type { Base, Metadata, Service, Streams } from '../service.ts'

const checkMs = 1000

/**
 * Ends the streams of this instance whose file was removed by another process: by a request to another instance, a
 * command, or cleanup. The expiry of an upload does not interrupt a stream that has a recipient.
 * @returns a function that stops the checks
 */
export function endRemovedStreams(service: Base & Metadata & Streams): () => void {
  const { clock, log } = service
  let checking = false
  return clock.every(checkMs, () => {
    if (checking) return
    checking = true
    endLost(service)
      .catch((error: unknown) => {
        log.warn({ err: error }, 'the streams could not be checked')
      })
      .finally(() => {
        checking = false
      })
  })
}

async function endLost({
  pipe,
  store,
  clock,
  instance,
}: Pick<Service, 'clock' | 'instance' | 'pipe' | 'store'>): Promise<void> {
  const running = new Map(pipe.active().map(({ key, waiting }) => [key, waiting]))
  if (running.size === 0) return
  const files = new Map((await store.files.findStarted([...running.keys()])).map((file) => [file.id, file]))
  for (const [id, waiting] of running) {
    const file = files.get(id)
    if (file?.status === 'uploading' && file.instance === instance) continue
    if (file !== undefined && !waiting) {
      const upload = await store.uploads.find(file.uploadId)
      if (upload !== undefined && isExpired(upload, clock.now())) continue
    }
    pipe.remove(id, fileNotFound())
  }
}
