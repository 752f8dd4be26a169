import { extendedValue } from '@svc/contract'
import { headerParameters } from './header-parameters.ts'

export type FormPart =
  | { readonly isFile: false }
  /** Without a name or file name, these are empty. */
  | { readonly isFile: true; readonly name: string; readonly fileName: string }

const field: FormPart = { isFile: false }

/**
 * A part of a form by its headers (RFC 7578 §4.2): a file if it has a file name, or the type of arbitrary bytes. Some clients
 * write names beyond ASCII in `filename*`, although the RFC forbids it.
 * @param headers lines with `\r\n` before each
 */
export function formPart(headers: string): FormPart {
  const lines = headers.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const valueOf = (name: string) =>
    lines.find((line) => line.toLowerCase().startsWith(`${name}:`))?.slice(name.length + 1)
  const disposition = valueOf('content-disposition') ?? ''
  if (!/^\s*form-data\s*(?:;|$)/i.test(disposition)) return field
  const parameters = headerParameters(disposition)
  const extended = parameters.get('filename*')
  const fileName = (extended && extendedValue(extended)) ?? parameters.get('filename')
  const isBytes = valueOf('content-type')?.trim().toLowerCase() === 'application/octet-stream'
  if (fileName === undefined && !isBytes) return field
  return { isFile: true, name: parameters.get('name') ?? '', fileName: fileName ?? '' }
}
