import { isManifest, type File, type Upload } from '@svc/contract'

/** The files of an upload that people have sent: without the manifest that a program has added (docs/design/manifest.md). */
export const withoutManifest = (upload: Pick<Upload, 'e2ee' | 'files'>): readonly File[] =>
  upload.files.filter((file) => !isManifest(upload, file))
