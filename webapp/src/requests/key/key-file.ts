import type { OwnRequest, RequestKey } from '../store/own-request.ts'

/**
 * The key of a request as an identity file of age: `age -d -i FILE` opens what was sent. For a guest, the file has the request
 * token, too: without it, no other browser shows what was sent.
 */
export const keyFile = (
  { title, createdAt, requestToken }: Pick<OwnRequest, 'title' | 'createdAt' | 'requestToken'>,
  { identity, recipient }: RequestKey,
  link: string,
): string =>
  [
    `# created: ${createdAt}`,
    `# request: ${title.replaceAll(/\s+/g, ' ')}`,
    `# link: ${link}`,
    ...(requestToken === undefined ? [] : [`# request token: ${requestToken}`]),
    `# public key: ${recipient}`,
    identity,
    '',
  ].join('\n')

/** The private key in a text, such as a key file; undefined without one. */
export const identityIn = (text: string): string | undefined =>
  /AGE-SECRET-KEY-1[0-9A-Z]+/i.exec(text)?.[0].toUpperCase()

/** The request of a guest in the text of its key file; undefined for other texts. */
export function requestIn(text: string): Pick<OwnRequest, 'id' | 'requestToken'> | undefined {
  const [, id] = /^# link: \S+[?&]id=([^&\s]+)/m.exec(text) ?? []
  const [, requestToken] = /^# request token: (\S+)$/m.exec(text) ?? []
  return id === undefined || requestToken === undefined ? undefined : { id, requestToken }
}
