import { headers as names } from '@svc/contract'
import { root } from '../support/accounts.ts'
import { basic } from '../support/ask.ts'
import type { TableUsers, TestUser } from './users.ts'
import { uploadLogin, uploadPassword, type StagedUpload } from './uploads.ts'

/** The actors that send requests, and the upload that the requests are about. */
export interface Scene {
  readonly people: TableUsers
  readonly upload: StagedUpload
}

/** The id of a user that never existed. */
export const nobody = 'local:nobody-at-all'

type Sent = Readonly<Record<string, string>>

const session = ({ session: { headers } }: TestUser): Sent => headers
const token = ({ token: value }: TestUser): Sent => ({ [names.userToken]: value })
const as = ({ id }: Pick<TestUser, 'id'>): Sent => ({ [names.impersonate]: encodeURIComponent(id) })

/**
 * The columns of the table: the credentials of each actor. `*`: a user token instead of a session; `>`: an
 * admin who impersonates.
 */
export const actors = {
  guest: () => ({}),
  'pw-': () => ({ authorization: basic(uploadLogin, `${uploadPassword}!`) }),
  'pw+': () => ({ authorization: basic(uploadLogin, uploadPassword) }),
  /** The token of the upload that the request is about. */
  holds: ({ upload }) => ({ [names.uploadToken]: upload.token }),
  /** An invented one. */
  forge: ({ upload }) => ({ [names.uploadToken]: 'x'.repeat(upload.token.length) }),
  owner: ({ people }) => session(people.owner),
  'own*': ({ people }) => token(people.owner),
  /** Tokens of the owner with one scope each. */
  'up*': ({ people }) => ({ [names.userToken]: people.owner.limited.upload }),
  'rd*': ({ people }) => ({ [names.userToken]: people.owner.limited.read }),
  'mg*': ({ people }) => ({ [names.userToken]: people.owner.limited.manage }),
  other: ({ people }) => session(people.other),
  'oth*': ({ people }) => token(people.other),
  admin: ({ people }) => session(people.admin),
  'adm*': ({ people }) => token(people.admin),
  '>own': ({ people }) => ({ ...session(people.admin), ...as(people.owner) }),
  '>oth': ({ people }) => ({ ...session(people.admin), ...as(people.other) }),
  /** An admin who impersonates another admin. */
  '>adm': ({ people }) => ({ ...session(people.admin), ...as({ id: `local:${root.login}` }) }),
  /**
   * A user who tries to impersonate the owner without the right, and an admin who impersonates a missing
   * user.
   */
  'gst>': ({ people }) => as(people.owner),
  'oth>': ({ people }) => ({ ...session(people.other), ...as(people.owner) }),
  'ad*>': ({ people }) => ({ ...token(people.admin), ...as(people.owner) }),
  '>nil': ({ people }) => ({ ...session(people.admin), ...as({ id: nobody }) }),
  /** The owner's session without the XSRF value. */
  '-xsrf': ({ people }) => ({ cookie: people.owner.session.cookie }),
  /** The owner's session, used by a page of another site. */
  xsite: ({ people }) => ({ ...session(people.owner), 'sec-fetch-site': 'cross-site' }),
  /** A user who was deleted. */
  gone: ({ people }) => session(people.removed),
  'gone*': ({ people }) => token(people.removed),
  /** The owner's session after its logout. */
  left: ({ people }) => people.left.headers,
} satisfies Readonly<Record<string, (scene: Scene) => Sent>>

export type Actor = keyof typeof actors

export const isActor = (name: string): name is Actor => name in actors

/** The actors whose session is valid. */
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

/** The users whose private data may appear in a response to an actor: those that the actor is shown as. */
export function identityOf(actor: Actor, { owner, other, admin }: TableUsers): TestUser | null {
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

/** The actors with the rights of an admin on routes without impersonation. */
export const isAdminSession = (actor: Actor): boolean =>
  actor === 'admin' || actor === '>own' || actor === '>oth' || actor === '>adm' || actor === '>nil'
