import { archiveNames, type File, type Upload } from '@svc/contract'

/** A file that a request has received. */
export interface ReceivedFile {
  readonly file: File
  /** Id of its upload. */
  readonly uploadID: string
  /** Encryption scheme of its upload; empty without one. */
  readonly e2ee: string
  /** The name that its sender gave it; the name on the server while it cannot be decrypted. */
  readonly name: string
  /** Bytes of the content; those on the server while it cannot be decrypted. */
  readonly size: number
  /** Creation time of its upload. */
  readonly modified: Date
}

/** An upload that a request has received. */
export interface ReceivedUpload {
  readonly upload: Upload
  readonly files: readonly ReceivedFile[]
  /** Whether it came after the owner's last look. */
  readonly isNew: boolean
}

/** A folder of files to download as a zip. */
export interface ReceivedFolder {
  /** Of the download. */
  readonly id: string
  /** The last folder of its path, or several that contain nothing else. */
  readonly name: string
  /** The path of the folder around it, each folder with its slash. */
  readonly parent: string
  readonly files: readonly ReceivedFile[]
}

/**
 * The name of a zip without `.zip`.
 * @param words of the request and of the sender; empty ones are left out
 * @param fallback where there are none
 */
export function archiveName(words: readonly string[], fallback: string): string {
  const text = words
    .filter((word) => word.trim() !== '')
    .join(' – ')
    .replaceAll('/', ' ')
    .replace(/^[. ]+/, '')
  // With its extension, so that the name leaves room for it.
  const [zip = ''] = archiveNames([`${text}.zip`])
  return text === '' ? fallback : zip.slice(0, -'.zip'.length)
}

/**
 * The path of a file in a zip of several uploads: each upload has a folder of its sender and its id, as `svc request get`
 * makes it.
 * @param sender may be empty
 */
export function pathOfSender(
  { uploadID, name }: Pick<ReceivedFile, 'uploadID' | 'name'>,
  sender: string,
): string {
  const folder = `${sender} ${uploadID}`.replaceAll('/', '_').trim()
  return `${folder}/${name}`
}

/** The files that can be downloaded. */
export const arrivedFiles = (files: readonly ReceivedFile[]): readonly ReceivedFile[] =>
  files.filter(({ file }) => file.status === 'uploaded')
