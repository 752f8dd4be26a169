import type { EventKind } from '@svc/contract'
import { isPushLanguage, pushTexts } from './push-texts.ts'

/** A push message as the visitor sees it. */
export interface PushNotification {
  readonly title: string
  readonly body: string
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** Messages may arrive twice: the second replaces the first. */
  readonly tag: string
  /** ms since the epoch; NaN if the message has no time. */
  readonly time: number
  /** Hash of the page that it opens. */
  readonly hash: string
}

/** What a message has, as far as it is known: it may come from a newer server. */
interface Received {
  readonly type?: unknown
  readonly timestamp?: unknown
  readonly data?: Readonly<Record<string, unknown>> | null
}

function parse(text: string): Received {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

const isKind = (type: unknown, texts: object): type is EventKind =>
  typeof type === 'string' && Object.hasOwn(texts, type)

/** The moment at which an upload expires, or the used part of the quota. */
function detail(
  kind: EventKind | undefined,
  data: Readonly<Record<string, unknown>>,
  language: string,
): string {
  if (kind === 'upload.expiring') {
    const end = new Date(String(data['expireAt']))
    const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
    return Number.isNaN(end.getTime()) ? '' : format.format(end)
  }
  if (kind === 'limits.near') {
    const part = Number(data['usedSize']) / Number(data['maxUserSize'])
    return Number.isFinite(part) ? new Intl.NumberFormat(language, { style: 'percent' }).format(part) : ''
  }
  return ''
}

/** The page that shows what an event is about. */
function pageOf({ requestID, uploadID }: Readonly<Record<string, unknown>>): string {
  if (typeof requestID === 'string') return `#/home/requests?id=${encodeURIComponent(requestID)}`
  return typeof uploadID === 'string' ? `#/?id=${encodeURIComponent(uploadID)}` : '#/home/stats'
}

/**
 * A push message in the words of a language.
 * @param language English without texts in it
 * @param text JSON of an event, as a webhook gets it; anything else is announced without details
 */
export function pushNotification(language: string, text: string): PushNotification {
  const { type, timestamp, data } = parse(text)
  const known = isPushLanguage(language) ? language : 'en'
  const texts = pushTexts[known]
  const kind = isKind(type, texts) ? type : undefined
  return {
    title: kind === undefined ? texts.other : texts[kind],
    body: detail(kind, data ?? {}, known),
    language: known,
    direction: known === 'ar' || known === 'he' ? 'rtl' : 'ltr',
    tag: [type, timestamp, data?.['uploadID']].map(String).join(' '),
    time: Date.parse(String(timestamp)),
    hash: pageOf(data ?? {}),
  }
}
