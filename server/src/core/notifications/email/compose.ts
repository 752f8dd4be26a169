import { formatSize, type EventBody } from '@svc/contract'
import { roughSize } from '@svc/terminal'
import { defanged } from './defanged.ts'
import { fill, hostOf, layOut, momentIn, type MailContent, type MailSetting } from './layout.ts'
import { textsIn } from './mail-texts.ts'
import type { MailTexts } from './mail-texts-shape.ts'

/** The names of some files of an upload. */
export interface FileNames {
  readonly first: string
  /** The number of all files. */
  readonly count: number
}

/** What a message says of the subject of its event. */
export interface Described {
  /** Null if there are none, or if their names are encrypted. */
  readonly files: FileNames | null
  /** The title of an upload request; null if the event has none. */
  readonly title: string | null
}

/** The message about an event. */
export function composeEvent(
  body: EventBody,
  { files, title }: Described,
  setting: MailSetting,
): MailContent {
  const texts = textsIn(setting.language)
  const names = files === null ? '' : namesOf(files, texts)
  switch (body.type) {
    case 'upload.first_download':
      return compose(texts.firstDownloadSubject, [fill(texts.firstDownload, { files: names })], setting)
    case 'upload.downloaded':
      return compose(texts.downloadedSubject, [fill(texts.downloaded, { files: names })], setting)
    case 'upload.expiring': {
      const moment = momentIn(setting.language, body.data.expireAt ?? body.timestamp)
      return compose(texts.expiringSubject, [fill(texts.expiring, { files: names, moment })], setting)
    }
    case 'request.received': {
      const values = { title: defanged(title ?? body.data.requestID), size: roughSize(body.data.size) }
      const paragraphs = [fill(texts.received, values), names].filter((one) => one !== '')
      return compose(texts.receivedSubject, paragraphs, setting)
    }
    case 'limits.near': {
      const { usedSize, maxUserSize } = body.data
      const values = { used: formatSize(usedSize), quota: formatSize(maxUserSize) }
      return compose(texts.limitsSubject, [fill(texts.limits, values)], setting)
    }
  }
}

/** The message with the code that confirms an address. */
export function composeConfirmation(code: string, setting: MailSetting): MailContent {
  const { confirmSubject, confirm, confirmIgnore } = textsIn(setting.language)
  const service = hostOf(setting)
  return compose(confirmSubject, [fill(confirm, { service }), code, confirmIgnore], setting)
}

/** The names of files in a message. */
export const namesOf = ({ first, count }: FileNames, { moreFiles }: MailTexts): string =>
  count <= 1 ? defanged(first) : fill(moreFiles, { name: defanged(first), count: String(count - 1) })

/** The message about something in an account. */
function compose(subject: string, paragraphs: readonly string[], setting: MailSetting): MailContent {
  const { open, why } = textsIn(setting.language)
  return layOut(
    {
      subject,
      parts: paragraphs,
      link: { label: open, url: `${setting.serviceURL}#/home` },
      why: fill(why, { service: hostOf(setting) }),
    },
    setting.language,
  )
}
