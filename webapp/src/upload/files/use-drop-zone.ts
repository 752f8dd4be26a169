import { onScopeDispose, readonly, ref } from 'vue'
import { readDroppedFiles, type DroppedFiles } from './dropped-files.ts'

export interface DropZoneOptions {
  readonly onFiles: (dropped: DroppedFiles) => void
  readonly enabled: () => boolean
}

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/** Accepts files dropped anywhere on the page. `over` is true while files are dragged over it. */
export function useDropZone({ onFiles, enabled }: DropZoneOptions) {
  const over = ref(false)
  /** Entering a child fires before leaving its parent, so enters and leaves are counted. */
  let depth = 0
  const stop = new AbortController()
  const on = (
    type: 'dragenter' | 'dragover' | 'dragleave' | 'drop',
    listener: (event: DragEvent) => void,
  ) => {
    const listen = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      // Also where files are not accepted: the browser would open the file instead of the page.
      event.preventDefault()
      if (enabled()) listener(event)
    }
    addEventListener(type, listen, { signal: stop.signal })
  }
  const changeDepth = (by: number) => {
    depth = Math.max(0, depth + by)
    over.value = depth > 0
  }
  on('dragenter', () => changeDepth(1))
  on('dragleave', () => changeDepth(-1))
  on('dragover', () => undefined)
  on('drop', ({ dataTransfer }) => {
    changeDepth(-depth)
    if (dataTransfer) void readDroppedFiles(dataTransfer).then(onFiles)
  })
  onScopeDispose(() => {
    stop.abort()
  })
  return { over: readonly(over) }
}
