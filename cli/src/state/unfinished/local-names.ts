import { ageScheme, type File, type Upload } from '@svc/contract'
import { readHistory } from '../history.ts'
import type { Program } from '../../program/program.ts'
import { readUnfinished } from './unfinished-upload.ts'

/** A file under the name that it has on this computer, if the one on the server is encrypted and this computer sent it. */
export interface LocallyNamed extends File {
  readonly localName?: string | undefined
}

/**
 * The files of an upload to a request with the names that they have here.
 * @param server its address
 */
export async function withLocalNames(
  program: Program,
  server: string,
  { id, e2ee, request, files }: Upload,
): Promise<readonly LocallyNamed[]> {
  if (e2ee !== ageScheme || request === undefined) return files
  const isSameUpload = (entry: { readonly server: string; readonly id: string }) =>
    entry.server === server && entry.id === id
  const unfinished = (await readUnfinished(program)).find(isSameUpload)?.files ?? []
  const begun = unfinished.flatMap(({ id: file, localName }) =>
    file === undefined || localName === undefined ? [] : [[file, localName] as const],
  )
  // Without the history, the names on the server are shown.
  const complete = (await readHistory(program).catch(() => [])).find(isSameUpload)?.localNames ?? {}
  const names = new Map([...begun, ...Object.entries(complete)])
  return files.map((file) => ({ ...file, localName: names.get(file.id) }))
}

/** The name of a file for people, to whom an encrypted name means nothing. */
export async function shownName({ fileName, localName }: LocallyNamed): Promise<string> {
  if (localName !== undefined) return localName
  // Shorter names are not encrypted. The check is only loaded for those that may be.
  if (!fileName.endsWith('.age')) return fileName
  const { isEncryptedName } = await import('@svc/encryption')
  return isEncryptedName(fileName) ? '(encrypted name)' : fileName
}
