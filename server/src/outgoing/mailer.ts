import { readFile } from 'node:fs/promises'
import type { SendMailOptions, Transporter } from 'nodemailer'
import type { MailConfig } from '../config/notification-config.ts'
import { hostIn } from '../domain/access/addresses.ts'
import { asciiAddress } from './mail-address.ts'
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

/** The maximum time of an attempt in ms: shorter than the claim of the outbox. */
const maxTimeMs = 60_000

/** The number of connections. The outbox sends no more messages at the same time, so that none waits for one. */
export const mailConnections = 4

/**
 * Sends email by SMTP. The library is loaded with the first message.
 * @param timeoutMs the maximum time of an attempt, which then ends with its connection: nothing is sent later
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
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const message = messageOf(mail, config)
        const open = await transport()
        await open.sendMail({ ...message, signal })
        return { isDelivered: true, isFinal: false, status: 250, error: null, isTimeout: false }
      } catch (error) {
        return failureOf(error, signal.aborted)
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
    maxConnections: mailConnections,
    // The outbox repeats messages.
    maxRequeues: 0,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    // Servers check the content before they respond to it.
    socketTimeout: maxTimeMs,
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
  to: { name: '', address: asciiAddress(to) ?? to },
  ...(replyTo !== undefined && { replyTo: { name: '', address: asciiAddress(replyTo) ?? replyTo } }),
  subject,
  text,
  html,
  messageId: `<${id}@${hostOf(from)}>`,
  headers: { 'auto-submitted': 'auto-generated', 'content-language': language },
})

const hostOf = (from: string): string => /@([^\s@<>]+?)>?$/.exec(from.trim())?.[1] ?? 'localhost'

/** The codes of failures that say something about the message, not about the connection. */
const ofMessage: ReadonlySet<unknown> = new Set(['EENVELOPE', 'EMESSAGE'])

function failureOf(error: unknown, isLate: boolean): Outcome {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown }
  const status = typeof responseCode === 'number' ? responseCode : null
  const isRefused = ofMessage.has(code) && status !== null && status >= 500
  return {
    isDelivered: false,
    isFinal: isRefused,
    status,
    error: isRefused ? 'the mail server refused the message' : 'the mail server could not be used',
    isTimeout: isLate || code === 'ETIMEDOUT',
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
