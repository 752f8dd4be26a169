import { isAlias, limits, withoutSlash } from '@svc/contract'
import { usageFailure } from '../errors/failure.ts'
import { percentDecoded } from './percent-decoded.ts'
import { requestLinkFailure, requestLinkIn } from './request-link.ts'

/** A link or an id of the command line. */
export interface UploadLink {
  /** Address of the server, without a slash at the end; undefined for a bare id. */
  readonly base: string | undefined
  readonly uploadID: string
  readonly fileID?: string
  /** The link asks for all files in one zip archive. */
  readonly archive?: string
  readonly uploadToken?: string
  /** The passphrase of an encrypted upload. */
  readonly key?: string
  /** The mark of its manifest. */
  readonly manifest?: string
}

const id = `[0-9A-Za-z]{${String(limits.idLength)}}`
const bareId = new RegExp(`^${id}$`)
const filePath = new RegExp(`^(.*)/(?:file|stream)/(${id})/(${id})(?:/|$)`)
const archivePath = new RegExp(`^(.*)/archive/(${id})/([^/]+)$`)
/** The short link of an upload's page, which may have an alias. */
const shortPath = new RegExp('^(.*)/s/([0-9A-Za-z-]+)$')

/** `#…&key=KEY` or `…#key=KEY`: the key extends to the end. */
export function splitKey(fragment: string): { readonly rest: string; readonly key?: string } {
  const found = /^(.*?)[#&]?\bkey=(.*)$/.exec(fragment)
  return found === null ? { rest: fragment } : { rest: found[1] ?? '', key: percentDecoded(found[2] ?? '') }
}

/** The parts of what follows the address in a link. */
interface FragmentParts extends Pick<UploadLink, 'key' | 'manifest'> {
  readonly rest: string
}

/** `…&manifest=MARK#key=KEY`, `…#manifest=MARK#key=KEY`, or only one of them. */
function splitFragment(fragment: string): FragmentParts {
  const { rest, key } = splitKey(fragment)
  const found = /^(.*?)[#&]?\bmanifest=([^#&]*)(.*)$/.exec(rest)
  return {
    rest: found === null ? rest : `${found[1] ?? ''}${found[3] ?? ''}`,
    ...(key !== undefined && { key }),
    ...(found?.[2] !== undefined && { manifest: found[2] }),
  }
}

type Address = Omit<UploadLink, 'key' | 'manifest'>

function parsePage(url: URL, fragment: string): Address | undefined {
  const query = new URLSearchParams(fragment.replace(/^\/?\??/, ''))
  const uploadID = query.get('id') ?? ''
  if (!bareId.test(uploadID)) return undefined
  const fileID = query.get('file')
  const uploadToken = query.get('uploadToken')
  return {
    base: url.origin + withoutSlash(url.pathname),
    uploadID,
    ...(fileID !== null && { fileID }),
    ...(uploadToken !== null && { uploadToken }),
  }
}

function parsePath(url: URL): Address | undefined {
  const file = filePath.exec(url.pathname)
  if (file !== null) {
    const [, prefix = '', uploadID = '', fileID = ''] = file
    return { base: url.origin + prefix, uploadID, fileID }
  }
  const short = shortPath.exec(url.pathname)
  const [, shortPrefix = '', name = ''] = short ?? []
  if (bareId.test(name) || isAlias(name.toLowerCase()))
    return { base: url.origin + shortPrefix, uploadID: name }
  const archive = archivePath.exec(url.pathname)
  if (archive === null) return undefined
  const [, prefix = '', uploadID = '', archiveName = ''] = archive
  return { base: url.origin + prefix, uploadID, archive: percentDecoded(archiveName) }
}

/** Reads a link as `parseLink` does; undefined for any other text. */
export function uploadLinkIn(input: string): UploadLink | undefined {
  const text = input.trim()
  const { rest: bare, ...bareParts } = splitFragment(text)
  if (bareId.test(bare)) return { base: undefined, uploadID: bare, ...bareParts }
  const url = URL.parse(text)
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) {
    const { rest, ...parts } = splitFragment(url.hash.slice(1))
    const found = parsePath(url) ?? parsePage(url, rest)
    if (found !== undefined) return { ...found, ...parts }
  }
  return undefined
}

/**
 * Reads a page link (`…/#/?id=…`, `…/s/…`), the link of a file or an archive, or an upload's id.
 * @throws Failure
 */
export function parseLink(input: string): UploadLink {
  const link = uploadLinkIn(input)
  if (link !== undefined) return link
  if (requestLinkIn(input) !== undefined) throw requestLinkFailure(input)
  throw usageFailure(`${input} is not a link to an upload; expected https://SERVER/#/?id=…`)
}
