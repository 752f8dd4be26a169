/** The texts of messages in a language. `{service}`, `{files}`, `{title}`, `{moment}`, `{used}`, `{quota}`, `{code}`, `{sender}`, `{count}`, `{size}` are replaced. */
export interface MailTexts {
  readonly confirmSubject: string
  readonly confirm: string
  readonly confirmIgnore: string
  readonly firstDownloadSubject: string
  readonly firstDownload: string
  readonly downloadedSubject: string
  readonly downloaded: string
  readonly expiringSubject: string
  readonly expiring: string
  readonly receivedSubject: string
  readonly received: string
  readonly limitsSubject: string
  readonly limits: string
  /** The files of an upload without its first name: `{name}`, `{count}` more. */
  readonly moreFiles: string
  /** The label of the link to the account. */
  readonly open: string
  /** The label of the link to a request. */
  readonly openRequest: string
  /** Why the message was sent. */
  readonly why: string
  /** The message with the link of an upload, which a user sends to an address. */
  readonly linkSubject: string
  readonly link: string
  readonly linkCount: string
  readonly linkSize: string
  readonly linkUntil: string
  readonly linkDownloads: string
  readonly linkPassword: string
  readonly linkOpen: string
  /** Why a stranger receives it. */
  readonly linkWhy: string
}
