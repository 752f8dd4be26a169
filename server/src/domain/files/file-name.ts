import { fileNameFault, limits, type FileNameFault } from '@svc/contract'

/** A valid name, or the reason why it is invalid, as a sentence for the uploader. */
export type FileNameResult =
  { readonly ok: true; readonly name: string } | { readonly ok: false; readonly reason: string }

const invalid = (reason: string): FileNameResult => ({ ok: false, reason })

const reasons: Readonly<Record<FileNameFault, string>> = {
  empty: 'the file name is empty; give the file a name',
  long: `the file name is longer than ${String(limits.fileNameLength)} characters; shorten it`,
  broken: 'the file name is not valid Unicode; remove the broken characters',
  control: 'the file name has control characters, such as line breaks; remove them',
  direction: 'the file name has invisible characters that change the writing direction; remove them',
  unnamed: 'a folder or file between slashes has no name; remove the extra "/"',
  dots: 'the names "." and ".." are not allowed; choose another one',
}

/**
 * Validates the name of a file.
 * @param raw the name that the client sent, already decoded
 * @param options folders: whether `/` separates folders (only in names declared at creation) or is an error
 */
export function parseFileName(raw: string, options: { readonly folders: boolean }): FileNameResult {
  const problem = fileNameFault(raw)
  // Without folders, the slash itself is the error.
  if (problem !== undefined && (options.folders || !raw.includes('/'))) return invalid(reasons[problem])
  if (!options.folders && raw.includes('/')) return invalid('the file name has a "/"; remove it')
  return { ok: true, name: raw }
}
