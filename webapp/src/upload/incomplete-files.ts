import { lastSegment, type File, type Upload } from '@svc/contract'
import { availability } from '../base/file-state.ts'
import type { RememberedFile } from '../sent/store/sent-upload.ts'
import { sizeOf, type PickedFile } from './draft/picked-file.ts'

/** Files that were declared or begun, and that no one sends now. */
export function interruptedFiles({ files, stream }: Pick<Upload, 'files' | 'stream'>): readonly File[] {
  // While some are being sent, the others wait for their turn.
  if (stream || files.some(({ status, interrupted }) => status === 'uploading' && interrupted !== true))
    return []
  return files.filter((file) => availability(file, { stream }) === 'coming')
}

/** A file that was chosen again. */
export interface ChosenAgain {
  readonly picked: PickedFile
  readonly file: File
  /** Whether its bytes are other than before: it cannot continue. */
  readonly changed: boolean
}

interface Context {
  readonly incomplete: readonly File[]
  /** The files as they were chosen first, where this device remembers them. */
  readonly remembered: readonly RememberedFile[]
  /** Bytes of a file as it is sent. */
  readonly sentSize: (bytes: number) => number
}

/** Finds chosen files among the incomplete ones, by name and size. A file chosen by itself has no folders in its name. */
export function chosenAgain(
  picked: readonly PickedFile[],
  { incomplete, remembered, sentSize }: Context,
): readonly ChosenAgain[] {
  const left = new Set(incomplete)
  return picked.flatMap((pickedFile) => {
    const { blob, name } = pickedFile
    const isSame = (file: File) =>
      (file.fileName === name || lastSegment(file.fileName) === name) &&
      file.fileSize === sentSize(sizeOf(blob))
    const file = [...left].find(isSame)
    if (file === undefined) return []
    left.delete(file)
    const known = remembered.find((before) => before.name === file.fileName && before.size === sizeOf(blob))
    const changed = known !== undefined && known.modified > 0 && known.modified !== blob.lastModified
    return [{ picked: pickedFile, file, changed }]
  })
}
