import { headers as names } from '@svc/contract'
import { root } from '../support/accounts.ts'
import { basic } from '../support/ask.ts'
import type { People, Person } from './people.ts'
import { uploadLogin, uploadPassword, type StagedUpload } from './uploads.ts'

/** Those who ask, and the upload that they ask about. */
export interface Scene {
  readonly people: People
  readonly upload: StagedUpload
}

/** The id of a user that there never was. */
export const nobody = 'local:nobody-at-all'

type Sent = Readonly<Record<string, string>>

const session = ({ session: { headers } }: Person): Sent => headers
const token = ({ token: value }: Person): Sent => ({ [names.userToken]: value })
const as = ({ id }: Pick<Person, 'id'>): Sent => ({ [names.impersonate]: encodeURIComponent(id) })

/**
 * The columns of the table: what each sends.
 * `*`: a user token instead of a session; `>`: an admin who acts as somebody.
 */
export const actors = {
  guest: () => ({}),
  'pw-': () => ({ authorization: basic(uploadLogin, `${uploadPassword}!`) }),
  'pw+': () => ({ authorization: basic(uploadLogin, uploadPassword) }),
  /** The token of the upload that it is about. */
  holds: ({ upload }) => ({ [names.uploadToken]: upload.token }),
  /** A made-up one. */
  forge: ({ upload }) => ({ [names.uploadToken]: 'x'.repeat(upload.token.length) }),
  owner: ({ people }) => session(people.owner),
  'own*': ({ people }) => token(people.owner),
  /** Tokens of the owner that are limited to one scope each. */
  'up*': ({ people }) => ({ [names.userToken]: people.owner.limited.upload }),
  'rd*': ({ people }) => ({ [names.userToken]: people.owner.limited.read }),
  'mg*': ({ people }) => ({ [names.userToken]: people.owner.limited.manage }),
  other: ({ people }) => session(people.other),
  'oth*': ({ people }) => token(people.other),
  admin: ({ people }) => session(people.admin),
  'adm*': ({ people }) => token(people.admin),
  '>own': ({ people }) => ({ ...session(people.admin), ...as(people.owner) }),
  '>oth': ({ people }) => ({ ...session(people.admin), ...as(people.other) }),
  /** An admin who acts as another admin. */
  '>adm': ({ people }) => ({ ...session(people.admin), ...as({ id: `local:${root.login}` }) }),
  /** Who may not act as the owner, but asks to; and an admin who asks to be somebody that there is not. */
  'gst>': ({ people }) => as(people.owner),
  'oth>': ({ people }) => ({ ...session(people.other), ...as(people.owner) }),
  'ad*>': ({ people }) => ({ ...token(people.admin), ...as(people.owner) }),
  '>nil': ({ people }) => ({ ...session(people.admin), ...as({ id: nobody }) }),
  /** The owner's session without the XSRF value. */
  '-xsrf': ({ people }) => ({ cookie: people.owner.session.cookie }),
  /** The owner's session, used by a page of another site. */
  xsite: ({ people }) => ({ ...session(people.owner), 'sec-fetch-site': 'cross-site' }),
  /** A user who was deleted. */
  gone: ({ people }) => session(people.gone),
  'gone*': ({ people }) => token(people.gone),
  /** The owner's session after its logout. */
  left: ({ people }) => people.left.headers,
} satisfies Readonly<Record<string, (scene: Scene) => Sent>>

export type Actor = keyof typeof actors

export const isActor = (name: string): name is Actor => name in actors

/** Who has a session that still is one. */
const withSession: readonly Actor[] = [
  'owner',
  'other',
  'admin',
  '>own',
  '>oth',
  'oth>',
  '>nil',
  '-xsrf',
  'xsite',
]
export const hasSession = (actor: Actor): boolean => withSession.includes(actor)

/** Whose private things may be in an answer to an actor: those that the person itself is shown. */
export function identityOf(actor: Actor, { owner, other, admin }: People): Person | null {
  switch (actor) {
    case 'owner':
    case 'own*':
    case 'up*':
    case 'rd*':
    case 'mg*':
    case '>own':
    case '-xsrf':
    case 'xsite':
      return owner
    case 'other':
    case 'oth*':
    case '>oth':
    case 'oth>':
      return other
    case 'admin':
    case 'adm*':
    case 'ad*>':
    case '>nil':
      return admin
    case 'guest':
    case 'gst>':
    case '>adm':
    case 'pw-':
    case 'pw+':
    case 'holds':
    case 'forge':
    case 'gone':
    case 'gone*':
    case 'left':
      return null
  }
}

/** Who has the rights of an admin on routes that know no impersonation. */
export const isAdminSession = (actor: Actor): boolean =>
  actor === 'admin' || actor === '>own' || actor === '>oth' || actor === '>adm' || actor === '>nil'
