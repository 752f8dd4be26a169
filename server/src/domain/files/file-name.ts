import { fileNameFault, limits, type FileNameFault } from '@svc/contract'

/** A name that passed every rule, or why it did not, as a sentence for the uploader. */
export type FileNameResult =
  { readonly ok: true; readonly name: string } | { readonly ok: false; readonly reason: string }

const refused = (reason: string): FileNameResult => ({ ok: false, reason })

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
 * Decides whether a file may be called so.
 * @param raw the name as the client sent it, already decoded
 * @param options folders: whether `/` separates folders (only in names declared at creation) or is refused
 */
export function parseFileName(raw: string, options: { readonly folders: boolean }): FileNameResult {
  const fault = fileNameFault(raw)
  // Extra slashes and dots are beside the point where no slash is allowed at all.
  if (fault !== undefined && (options.folders || !raw.includes('/'))) return refused(reasons[fault])
  if (!options.folders && raw.includes('/')) return refused('the file name has a "/"; remove it')
  return { ok: true, name: raw }
}
