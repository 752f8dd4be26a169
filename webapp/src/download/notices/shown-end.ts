import type { UploadEnd } from '../../base/upload-end.ts'

/** How an upload without files has ended for this visitor: `mine` if the visitor has downloaded all of them. */
export type ShownEnd = 'mine' | UploadEnd
