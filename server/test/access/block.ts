import type { Kind } from './uploads.ts'

/** A part of the table: what is asked of which server about which uploads. */
export interface Block {
  readonly title: string
  readonly server: ServerName
  /** The uploads that it is about; each kind is asked about on its own. */
  readonly uploads?: { readonly of: 'owner' | 'nobody'; readonly kinds: readonly Kind[] }
  /** As `parseTable` reads it. */
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
  | 'providers'
