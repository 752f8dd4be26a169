import { isUtf8 } from 'node:buffer'
import { extendedValue } from '@svc/contract'

/** The parameters of a header such as `attachment; filename="a b.txt"` (RFC 6266 §4.1), with lower-case names. */
function parametersOf(header: string): ReadonlyMap<string, string> {
  const found = header.matchAll(/;\s*([\w!#$&+.^`|~*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/g)
  return new Map(
    Array.from(found, ([, name = '', quoted, token = '']) => [
      name.toLowerCase(),
      quoted === undefined ? token : quoted.replaceAll(/\\(.)/g, '$1'),
    ]),
  )
}

/** Headers are bytes, which Node reads as Latin-1. Many servers write names as UTF-8. */
function asWritten(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : header
}

/** A name is never a path: neither a server nor an address names a folder here. */
const lastName = (name: string): string => name.split(/[/\\]/).at(-1) ?? ''

function nameInPath({ pathname }: URL): string {
  const segment = pathname.split('/').at(-1) ?? ''
  try {
    return lastName(decodeURIComponent(segment))
  } catch {
    return lastName(segment)
  }
}

/** The name that a response gives its content; otherwise the last one of the address, or one for its page. */
export function responseName(url: URL, headers: Headers): string {
  const parameters = parametersOf(`;${asWritten(headers.get('content-disposition') ?? '')}`)
  const extended = parameters.get('filename*')
  const fileName = (extended && extendedValue(extended)) ?? parameters.get('filename') ?? ''
  return lastName(fileName) || nameInPath(url) || 'index.html'
}
