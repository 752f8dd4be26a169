import { api, baseURL } from '../api/api.ts'
import type { Report, Watched } from './messages.ts'
import { uploadChanges } from './upload-changes.ts'

/** A page that waits for changes of an upload. */
export interface Watcher {
  /** Called whenever the stream is opened, fails, or reports changes of any upload. */
  readonly onReport: (change: { readonly isCovered: boolean; readonly isChanged: boolean }) => void
}

type Watch = (uploadIDs: readonly string[]) => void

/* eslint no-restricted-syntax: "off" -- one connection serves the document, and watchers end with their pages */
const watchers = new Map<string, Set<Watcher>>()
let watch: Watch | undefined

function deliver({ covered, changed }: Report): void {
  for (const [id, ofUpload] of watchers)
    for (const { onReport } of ofUpload)
      onReport({ isCovered: covered.includes(id), isChanged: changed.includes(id) })
}

/** @throws where the browser has no shared workers, or forbids them */
function throughWorker(): Watch {
  const worker = new SharedWorker(new URL('./changes-worker.ts', import.meta.url), { type: 'module' })
  worker.port.addEventListener('message', ({ data }: MessageEvent<Report>) => {
    deliver(data)
  })
  worker.port.start()
  worker.addEventListener('error', () => {
    watch = throughTab()
    update()
  })
  return (uploadIDs) => {
    worker.port.postMessage({ baseURL, uploadIDs } satisfies Watched)
  }
}

/** A connection of this tab while it is visible. */
function throughTab(): Watch {
  const set = uploadChanges((uploadIDs, options) => api.uploadEvents(uploadIDs, options), deliver)
  let wanted: readonly string[] = []
  const setVisible = () => {
    set(document.visibilityState === 'visible' ? wanted : [])
  }
  document.addEventListener('visibilitychange', setVisible)
  return (uploadIDs) => {
    wanted = uploadIDs
    setVisible()
  }
}

function connected(): Watch {
  try {
    return throughWorker()
  } catch {
    return throughTab()
  }
}

function update(): void {
  watch?.([...watchers.keys()])
}

/** The worker outlives this tab while others are open, and a page that the browser keeps may return. */
addEventListener('pagehide', () => watch?.([]))
addEventListener('pageshow', update)

/**
 * Watches an upload over the connection that all tabs share.
 * @returns stops watching
 */
export function watchUpload(uploadID: string, watcher: Watcher): () => void {
  const ofUpload = watchers.get(uploadID) ?? new Set<Watcher>()
  watchers.set(uploadID, ofUpload.add(watcher))
  watch ??= connected()
  update()
  return () => {
    ofUpload.delete(watcher)
    if (ofUpload.size === 0 && watchers.get(uploadID) === ofUpload) watchers.delete(uploadID)
    update()
  }
}
