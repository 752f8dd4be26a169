import { webClient } from '@svc/contract'
import { createConnection, eventCalls } from '@svc/sdk'
import type { Report, Watched } from './messages.ts'
import { uploadChanges } from './upload-changes.ts'

// A worker that all tabs of the page share: it has one connection for the uploads that they follow.

const tabs = new Map<MessagePort, readonly string[]>()
let covered: readonly string[] = []
let watch: ((uploadIDs: readonly string[]) => void) | undefined

function deliver(report: Report): void {
  ;({ covered } = report)
  for (const port of tabs.keys()) port.postMessage(report)
}

function receive(port: MessagePort, { baseURL, uploadIDs }: Watched): void {
  const before = tabs.get(port) ?? []
  // The newest last: a stream has room for a limited number.
  tabs.delete(port)
  if (uploadIDs.length > 0) tabs.set(port, uploadIDs)
  const changed = uploadIDs.filter((id) => covered.includes(id) && !before.includes(id))
  port.postMessage({ covered, changed } satisfies Report)
  if (watch === undefined) {
    const events = eventCalls(createConnection({ baseURL, clientApp: webClient }))
    watch = uploadChanges((ids, options) => events.uploadEvents(ids, options), deliver)
  }
  watch([...tabs.values()].flat())
}

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports
  port?.addEventListener('message', ({ data }: MessageEvent<Watched>) => {
    receive(port, data)
  })
  port?.start()
})
