import type { Answered } from '../support/ask.ts'
import { lookUp } from '../support/storage.ts'
import { identityOf, isAdminSession, type Actor, type Scene } from './actors.ts'
import type { TestUser } from './users.ts'
import { uploaderAddress, uploadLogin, uploadPassword } from './uploads.ts'

const textOf = ({ headers, text }: Pick<Answered, 'headers' | 'text'>) => JSON.stringify(headers) + text

/** Data that only the user may see, and an admin in an administrative response. */
const personal = ({ id, login, email, uploadID }: TestUser) => [id, login, email, uploadID]

/** Data that only the signed-in user may see. */
const intimate = ({ token, limited, address, sessionID }: TestUser) => [
  token,
  ...Object.values(limited),
  address,
  sessionID,
]

/** Data that no response may contain: a browser or our database keeps it. */
const unsaid = ({ session: { cookie, xsrf } }: TestUser) => [...cookie.split('; '), xsrf]

/** The data in a response that this actor must not see. */
export function leaksIn(response: Answered, actor: Actor, { people, upload }: Scene): string[] {
  const text = textOf(response)
  const self = identityOf(actor, people)
  const everybody = [people.owner, people.other, people.admin, people.removed]
  const strangers = everybody.filter((person) => person !== self)
  const secrets = [
    ...everybody.flatMap(unsaid),
    ...strangers.flatMap(intimate),
    ...(isAdminSession(actor) ? [] : strangers.flatMap(personal)),
    ...(actor.endsWith('*') ? everybody.flatMap(intimate) : []),
    people.left.cookie,
    upload.token,
    uploaderAddress,
    uploadLogin,
    uploadPassword,
  ]
  return secrets.filter((secret) => text.includes(secret))
}

/** Hashes and keys in the database that no response may contain. */
export const storedSecrets = (server: { readonly directory: string }): string[] =>
  [
    'select passwordHash from users where passwordHash is not null',
    'select passwordHash from uploads where passwordHash is not null',
    'select tokenHash from uploads',
    'select tokenHash from tokens',
    'select secretHash from cliLogins',
    'select value from settings',
  ].flatMap((sql) => lookUp(server, sql).map(String))
