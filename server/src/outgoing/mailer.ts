import { readFile } from 'node:fs/promises'
import type { SendMailOptions, Transporter } from 'nodemailer'
import type { MailConfig } from '../config/notification-config.ts'
import { hostIn } from '../domain/access/addresses.ts'
import type { Outcome } from './outcome.ts'

/** A message to one address. */
export interface Mail {
  /** Identifies the message: a message that is sent again has the same id. */
  readonly id: string
  readonly to: string
  /** The address that gets responses; absent for the sender's. */
  readonly replyTo?: string | undefined
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly language: string
}

export interface Mailer {
  /** Sends a message once. Never rejects. */
  readonly send: (mail: Mail) => Promise<Outcome>
  /**
   * Connects to the server and signs in.
   * @throws when that fails
   */
  readonly verify: () => Promise<void>
  readonly close: () => void
}

/** The maximum time of an attempt in ms. */
const maxTimeMs = 60_000

const maxConnections = 4

/** One address, without the characters that separate or quote addresses (RFC 5322 §3.4). */
const oneAddress = /^[^\s@,;:<>()[\]\\"\p{Cc}]+@[^\s@,;:<>()[\]\\"\p{Cc}]+$/u

/** The maximum length of an address (RFC 5321 §4.5.3.1). */
const maxAddressLength = 254

/** Whether a text is one address. Mail servers know which addresses exist. */
export const isAddress = (text: string): boolean => text.length <= maxAddressLength && oneAddress.test(text)

/**
 * Sends e-mail by SMTP. The library is loaded with the first message.
 * @param timeoutMs the maximum time of an attempt
 */
export function mailer(config: MailConfig, timeoutMs = maxTimeMs): Mailer {
  let opened: Promise<Transporter> | undefined
  const transport = () =>
    (opened ??= openTransport(config).catch((error: unknown) => {
      opened = undefined
      throw error
    }))
  return {
    async send(mail) {
      try {
        const message = messageOf(mail, config)
        await inTime((await transport()).sendMail(message), timeoutMs)
        return { isDelivered: true, isFinal: false, status: 250, error: null, isTimeout: false }
      } catch (error) {
        return failureOf(error)
      }
    },
    async verify() {
      await inTime((await transport()).verify(), timeoutMs)
    },
    close() {
      void opened?.then((open) => {
        open.close()
      })
    },
  }
}

async function openTransport({ server, tls, ca }: MailConfig): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const url = new URL(server)
  const { protocol, port, username, password } = url
  const isSecure = protocol === 'smtps:'
  return createTransport({
    host: hostIn(url),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'none' && !isSecure,
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    ...(ca !== '' && { tls: { ca: await readFile(ca, 'utf8') } }),
    pool: true,
    maxConnections,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    // Messages have neither files nor remote content.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

const messageOf = (
  { id, to, replyTo, subject, text, html, language }: Mail,
  { from }: MailConfig,
): SendMailOptions => ({
  from,
  // An object is one address; a text could be a list.
  to: { name: '', address: to },
  ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
  subject,
  text,
  html,
  messageId: `<${id}@${hostOf(from)}>`,
  headers: { 'auto-submitted': 'auto-generated', 'content-language': language },
})

const hostOf = (from: string): string => /@([^\s@<>]+?)>?$/.exec(from.trim())?.[1] ?? 'localhost'

/** The codes of failures that say something about the message, not about the connection. */
const ofMessage: ReadonlySet<unknown> = new Set(['EENVELOPE', 'EMESSAGE'])

function failureOf(error: unknown): Outcome {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown }
  const status = typeof responseCode === 'number' ? responseCode : null
  const isRefused = ofMessage.has(code) && status !== null && status >= 500
  return {
    isDelivered: false,
    isFinal: isRefused,
    status,
    error: isRefused ? 'the mail server refused the message' : 'the mail server could not be used',
    isTimeout: code === 'ETIMEDOUT',
  }
}

async function inTime<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(Object.assign(new Error('the mail server did not respond in time'), { code: 'ETIMEDOUT' }))
  }, timeoutMs)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
