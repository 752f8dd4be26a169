import type { Kind } from '../fixture/uploads.ts'

/** A part of the table: the requests to one server about some uploads. */
export interface Block {
  readonly title: string
  readonly server: ServerName
  /** The kinds of uploads; the requests are sent for each kind separately. */
  readonly uploads?: { readonly of: 'owner' | 'guest'; readonly kinds: readonly Kind[] }
  /** In the format of `parseTable`. */
  readonly table: string
}

/** Servers with different settings. */
export type ServerName =
  | 'accounts'
  | 'forced'
  | 'whitelist'
  | 'no authentication'
  | 'no tokens'
  | 'no local login'
  | 'no account deletion'
  | 'no mail'
  | 'no requests'
  | 'requests of users'
  | 'providers'
