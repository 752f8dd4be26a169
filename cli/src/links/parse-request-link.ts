import { usageFailure } from '../errors/failure.ts'
import { uploadLinkIn } from './parse-link.ts'
import { requestLinkIn, type RequestLink } from './request-link.ts'

/**
 * Reads the link of an upload request (`…/#/request?id=…`), or its id.
 * @throws Failure
 */
export function parseRequestLink(input: string): RequestLink {
  const link = requestLinkIn(input)
  if (link !== undefined) return link
  if (uploadLinkIn(input) !== undefined)
    throw usageFailure(
      `${input} is the link of an upload: svc get LINK downloads its files, svc info LINK shows it`,
    )
  throw usageFailure(`${input} is not a link to an upload request; expected https://SERVER/#/request?id=…`)
}
