import type { Upload } from '@svc/contract'
import { availability } from '../base/file-state.ts'
import { watchUpload } from '../changes/watch-upload.ts'

/** Whether a visitor's download or an arriving file may change the status of an upload, as events report it. */
const mayChange = ({ files, protectedByPassword }: Upload): boolean =>
  !protectedByPassword &&
  files.some((file) => availability(file, { stream: false }) === 'coming' || (file.downloadsLeft ?? 0) > 0)

/** Watches sent uploads while their status may change. */
export function watchSent() {
  const watched = new Map<string, () => void>()
  return {
    /**
     * Watches an upload, or no longer.
     * @param check called after a change
     */
    update(upload: Upload, check: () => void): void {
      const { id } = upload
      if (!mayChange(upload)) {
        watched.get(id)?.()
        watched.delete(id)
      } else if (!watched.has(id)) {
        let wasCovered = false
        const end = watchUpload(id, {
          onReport({ isCovered, isChanged }) {
            if (wasCovered && isChanged) check()
            wasCovered = isCovered
          },
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
