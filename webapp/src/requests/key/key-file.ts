import type { OwnRequest, RequestKey } from '../store/own-request.ts'

/** The key of a request as an identity file of age: `age -d -i FILE` opens what was sent. */
export const keyFile = (
  { title, createdAt }: Pick<OwnRequest, 'title' | 'createdAt'>,
  { identity, recipient }: RequestKey,
  link: string,
): string =>
  [
    `# created: ${createdAt}`,
    `# request: ${title.replaceAll(/\s+/g, ' ')}`,
    `# link: ${link}`,
    `# public key: ${recipient}`,
    identity,
    '',
  ].join('\n')

/** The private key in a text, such as a key file; undefined without one. */
export const identityIn = (text: string): string | undefined =>
  /AGE-SECRET-KEY-1[0-9A-Z]+/i.exec(text)?.[0].toUpperCase()
