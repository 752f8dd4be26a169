import { formatSize, type EventBody } from '@svc/contract'
import { roughSize } from '@svc/terminal'
import { defang } from './defang.ts'
import { fillPlaceholders, hostOf, layOut, momentIn, type MailContent, type MailSetting } from './layout.ts'
import { textsIn } from './mail-texts.ts'
import type { MailTexts } from './mail-texts-shape.ts'

/** The names of some files of an upload. */
export interface FileNames {
  readonly first: string
  /** The number of all files. */
  readonly count: number
}

/** What a message says of the subject of its event. */
export interface EventSubject {
  /** Null if there are none, or if their names are encrypted. */
  readonly files: FileNames | null
  /** The title of an upload request; null if the event has none. */
  readonly title: string | null
}

/** The message about an event. */
export function composeEvent(
  body: EventBody,
  { files, title }: EventSubject,
  setting: MailSetting,
): MailContent {
  const texts = textsIn(setting.language)
  const names = files === null ? '' : namesOf(files, texts)
  switch (body.type) {
    case 'upload.first_download':
      return compose(
        texts.firstDownloadSubject,
        [fillPlaceholders(texts.firstDownload, { files: names })],
        setting,
      )
    case 'upload.downloaded':
      return compose(texts.downloadedSubject, [fillPlaceholders(texts.downloaded, { files: names })], setting)
    case 'upload.expiring': {
      const moment = momentIn(setting.language, body.data.expireAt ?? body.timestamp)
      return compose(
        texts.expiringSubject,
        [fillPlaceholders(texts.expiring, { files: names, moment })],
        setting,
      )
    }
    case 'request.received': {
      const { requestID } = body.data
      const values = { title: defang(title ?? requestID), size: roughSize(body.data.size) }
      const paragraphs = [fillPlaceholders(texts.received, values), names].filter(
        (paragraph) => paragraph !== '',
      )
      const link = { label: texts.openRequest, page: `/home/requests?id=${encodeURIComponent(requestID)}` }
      return compose(texts.receivedSubject, paragraphs, setting, { link })
    }
    case 'limits.near': {
      const { usedSize, maxUserSize } = body.data
      const values = { used: formatSize(usedSize), quota: formatSize(maxUserSize) }
      return compose(texts.limitsSubject, [fillPlaceholders(texts.limits, values)], setting)
    }
  }
}

/** The message with the code that confirms an address. */
export function composeConfirmation(code: string, setting: MailSetting): MailContent {
  const { confirmSubject, confirm, confirmIgnore, open } = textsIn(setting.language)
  const service = hostOf(setting)
  return compose(confirmSubject, [fillPlaceholders(confirm, { service }), code], setting, {
    link: { label: open, page: '/home/notifications' },
    why: confirmIgnore,
  })
}

/** The names of files in a message. */
export const namesOf = ({ first, count }: FileNames, { moreFiles }: MailTexts): string =>
  count <= 1 ? defang(first) : fillPlaceholders(moreFiles, { name: defang(first), count: String(count - 1) })

interface MessageEnd {
  /** A page of the web application, and what it is; the account by default. */
  readonly link?: { readonly label: string; readonly page: string }
  /** Why the message was sent: by default, because the account has notifications. */
  readonly why?: string
}

/** The message about something in an account. */
function compose(
  subject: string,
  parts: readonly string[],
  setting: MailSetting,
  { link, why }: MessageEnd = {},
): MailContent {
  const texts = textsIn(setting.language)
  const { label, page } = link ?? { label: texts.open, page: '/home' }
  return layOut(
    {
      subject,
      parts,
      link: { label, url: `${setting.serviceURL}#${page}` },
      why: why ?? fillPlaceholders(texts.why, { service: hostOf(setting) }),
    },
    setting.language,
  )
}
