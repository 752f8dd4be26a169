import { onScopeDispose } from 'vue'
import { readDroppedFiles, type DroppedFiles } from './dropped-files.ts'

export interface PasteOptions {
  readonly onFiles: (dropped: DroppedFiles) => void
  readonly enabled: () => boolean
  /** File name for pasted text; undefined where text is not accepted. */
  readonly textName: () => string | undefined
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLElement && target.isContentEditable)

/** Accepts files, and text as a file, pasted outside of a text field. */
export function usePaste({ onFiles, enabled, textName }: PasteOptions) {
  const paste = (event: ClipboardEvent) => {
    if (!event.clipboardData || !enabled() || isTyping(event.target)) return
    const name = textName()
    const text = event.clipboardData.getData('text/plain')
    if (event.clipboardData.files.length > 0) {
      void readDroppedFiles(event.clipboardData).then(onFiles)
    } else if (name !== undefined && text !== '') {
      onFiles({ files: [{ blob: new File([text], name, { type: 'text/plain' }), name }], unreadable: [] })
    }
  }
  addEventListener('paste', paste)
  onScopeDispose(() => {
    removeEventListener('paste', paste)
  })
}
