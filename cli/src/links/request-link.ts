import { limits, withoutSlash } from '@svc/contract'
import { usageFailure } from '../errors/failure.ts'

/** A link or an id of an upload request. */
export interface RequestLink {
  /** Address of the server, without a slash at the end; undefined for a bare id. */
  readonly base: string | undefined
  readonly requestID: string
  /** The fingerprint of the recipient. */
  readonly fingerprint?: string
}

const bareId = new RegExp(`^[0-9A-Za-z]{${String(limits.idLength)}}$`)

/** Reads the link of an upload request (`…/#/request?id=…`), or its id; undefined for any other text. */
export function requestLinkIn(input: string): RequestLink | undefined {
  const text = input.trim()
  if (bareId.test(text)) return { base: undefined, requestID: text }
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined
  const [, query] = /^#\/request\?(.*)$/.exec(url.hash) ?? []
  const parameters = new URLSearchParams(query)
  const requestID = parameters.get('id') ?? ''
  if (!bareId.test(requestID)) return undefined
  const fingerprint = parameters.get('key')
  return {
    base: url.origin + withoutSlash(url.pathname),
    requestID,
    ...(fingerprint !== null && { fingerprint }),
  }
}

/** The failure of a command for uploads that was given the link of an upload request. */
export const requestLinkFailure = (input: string) =>
  usageFailure(
    `${input} is the link of an upload request: svc send LINK FILE… sends files to it; ` +
      'if it is yours, svc request show LINK shows it, and svc request get LINK fetches what it has received',
  )
