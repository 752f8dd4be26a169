import { onScopeDispose } from 'vue'
import { filesOf } from './dropped-files.ts'
import type { PickedFile } from './picked-file.ts'

export interface PasteOptions {
  readonly onFiles: (files: PickedFile[]) => void
  readonly enabled: () => boolean
  /** Name of the file that pasted text becomes; undefined where text is not taken. */
  readonly textName: () => string | undefined
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLElement && target.isContentEditable)

/** Takes files, and text as a file, that are pasted outside of a text field. */
export function usePaste({ onFiles, enabled, textName }: PasteOptions) {
  const paste = (event: ClipboardEvent) => {
    if (!event.clipboardData || !enabled() || isTyping(event.target)) return
    const name = textName()
    const text = event.clipboardData.getData('text/plain')
    if (event.clipboardData.files.length > 0) {
      void filesOf(event.clipboardData).then(onFiles, () => onFiles([]))
    } else if (name !== undefined && text !== '') {
      onFiles([{ blob: new File([text], name, { type: 'text/plain' }), name }])
    }
  }
  addEventListener('paste', paste)
  onScopeDispose(() => {
    removeEventListener('paste', paste)
  })
}
