import { formatSize, type EventBody } from '@svc/contract'
import { roughSize } from '@svc/terminal'
import { directionOf, textsIn } from './mail-texts.ts'
import { defanged } from './defanged.ts'
import type { MailTexts } from './mail-texts-shape.ts'

/** The content of a message. */
export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** What messages of a service have in common. */
export interface MailSetting {
  /** One of the languages with texts. */
  readonly language: string
  /** Address of the web application. */
  readonly serviceURL: string
}

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

/** Replaces placeholders. A value is never searched for further ones. */
const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)

const hostOf = ({ serviceURL }: MailSetting): string => new URL(serviceURL).host

const namesOf = ({ first, count }: FileNames, { moreFiles }: MailTexts): string =>
  count <= 1 ? defanged(first) : fill(moreFiles, { name: defanged(first), count: String(count - 1) })

const momentIn = (language: string, date: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' }).format(
    new Date(date),
  )

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (one) => escapes[one] ?? one)

/** The one template of all messages. Subjects have no text of users. */
function compose(subject: string, paragraphs: readonly string[], setting: MailSetting): MailContent {
  const { language, serviceURL } = setting
  const texts = textsIn(language)
  const why = fill(texts.why, { service: hostOf(setting) })
  const link = `${serviceURL}#/home`
  const body = paragraphs.map(
    (one) => `<p style="margin:0 0 16px;overflow-wrap:anywhere">${escaped(one)}</p>`,
  )
  return {
    subject,
    text: `${[...paragraphs, `${texts.open}: ${link}`, why].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto">
<h1 style="margin:0 0 16px;font-size:20px">${escaped(subject)}</h1>
${body.join('\n')}
<p style="margin:24px 0"><a href="${escaped(link)}">${escaped(texts.open)}</a></p>
<p style="margin:0;font-size:13px;opacity:.7">${escaped(why)}</p>
</div>
</body>
</html>
`,
  }
}
