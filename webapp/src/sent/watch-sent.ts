import type { Upload } from '@svc/contract'
import { availability } from '../base/file-state.ts'
import { followUpload } from '../changes/follow-upload.ts'

/** Whether a visitor's download or an arriving file may change the status of an upload, as events report it. */
const mayChange = ({ files, protectedByPassword, request }: Upload): boolean =>
  !protectedByPassword &&
  request === undefined &&
  files.some((file) => availability(file, { stream: false }) === 'coming' || (file.downloadsLeft ?? 0) > 0)

/** Watches sent uploads while their status may change. */
export function watchSent() {
  const watched = new Map<string, () => void>()
  return {
    /**
     * Watches an upload, or no longer.
     * @param check called once when events begin, and after each change
     */
    update(upload: Upload, check: () => Promise<void>): void {
      const { id } = upload
      if (!mayChange(upload)) {
        watched.get(id)?.()
        watched.delete(id)
      } else if (!watched.has(id)) {
        const end = followUpload({
          uploadID: id,
          refresh: check,
          // Without events, the list is as old as the tab is visible.
          delay: () => undefined,
          hasEvents: true,
        })
        watched.set(id, end)
      }
    },
    end() {
      for (const end of watched.values()) end()
      watched.clear()
    },
  }
}
