import { roughSize } from '@svc/terminal'
import { namesOf, type FileNames } from './compose.ts'
import { defang } from './defang.ts'
import { fillPlaceholders, hostOf, layOut, momentIn, type MailContent, type MailSetting } from './layout.ts'
import { textsIn } from './mail-texts.ts'

/** An upload whose link is sent. */
export interface MailedUpload {
  /** The name of the account that sends it. */
  readonly sender: string
  /** The text of its user; empty for none. */
  readonly message: string
  /** The address of the page of the upload. */
  readonly url: string
  /** The number of files. */
  readonly count: number
  /** Their bytes; null if they are not known yet. */
  readonly size: number | null
  /** Null if the message must not have names. */
  readonly names: FileNames | null
  /** RFC 3339; null if it does not expire. */
  readonly expireAt: string | null
  /** How many times each file can be downloaded; null without a limit. */
  readonly maxDownloads: number | null
  readonly hasPassword: boolean
}

const lineBreak = /\r\n|[\n\r\u2028\u2029]/u

/** The message with the link of an upload. */
export function composeLink(upload: MailedUpload, setting: MailSetting): MailContent {
  const { language } = setting
  const texts = textsIn(language)
  const values = { sender: defang(upload.sender), service: hostOf(setting) }
  const facts = [
    fillPlaceholders(texts.linkCount, { count: String(upload.count) }),
    ...(upload.size === null ? [] : [fillPlaceholders(texts.linkSize, { size: roughSize(upload.size) })]),
    ...(upload.expireAt === null
      ? []
      : [fillPlaceholders(texts.linkUntil, { moment: momentIn(language, upload.expireAt) })]),
    ...(upload.maxDownloads === null
      ? []
      : [fillPlaceholders(texts.linkDownloads, { count: String(upload.maxDownloads) })]),
  ]
  const { message, names } = upload
  const quote = message.split(lineBreak).map(defang)
  return layOut(
    {
      subject: fillPlaceholders(texts.linkSubject, values),
      parts: [
        fillPlaceholders(texts.link, values),
        ...(message.trim() === '' ? [] : [{ quote }]),
        ...(names === null ? [] : [namesOf(names, texts)]),
        facts,
        ...(upload.hasPassword ? [texts.linkPassword] : []),
      ],
      link: { label: texts.linkOpen, url: upload.url },
      why: fillPlaceholders(texts.linkWhy, values),
    },
    language,
  )
}
