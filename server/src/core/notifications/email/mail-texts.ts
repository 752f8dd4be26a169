import type { Language } from '@svc/contract'
import { textsOfAsia } from './mail-texts-asia.ts'
import { textsOfEurope } from './mail-texts-europe.ts'
import type { MailTexts } from './mail-texts-shape.ts'

const english: MailTexts = {
  confirmSubject: 'Confirm your email address',
  confirm:
    'To receive notifications of {service} at this address, enter this code in your account within 24 hours:',
  confirmIgnore: 'If you did not ask for this, ignore this message. You will receive no others.',
  firstDownloadSubject: 'Your upload was downloaded for the first time',
  firstDownload: 'Your upload was downloaded for the first time: {files}',
  downloadedSubject: 'Your upload was downloaded',
  downloaded: 'Your upload was downloaded completely: {files}',
  expiringSubject: 'Your upload expires soon',
  expiring: 'Your upload expires on {moment}: {files}',
  receivedSubject: 'Your request has received files',
  received: 'Your request “{title}” has received files ({size}).',
  limitsSubject: 'Your storage is nearly full',
  limits: 'Your files use {used} of {quota}.',
  moreFiles: '{name} and {count} more',
  open: 'Open your account',
  openRequest: 'Open the request',
  why: 'You receive this message because notifications by email are switched on in your account at {service}.',
  linkSubject: 'Files for you from {service}',
  link: '{sender} sends you files through {service}.',
  linkCount: 'Number of files: {count}',
  linkSize: 'Size: {size}',
  linkUntil: 'Available until: {moment}',
  linkDownloads: 'Downloads allowed per file: {count}',
  linkPassword: 'The files are protected by a password. Ask the sender for it.',
  linkOpen: 'Open the files',
  linkWhy:
    'You receive this message because {sender} entered your address at {service}, which does not keep it. If you do not know the sender, ignore this message.',
}

/** All texts by the code of their language. */
export const mailTexts: Readonly<Record<Language, MailTexts>> = {
  en: english,
  ...textsOfEurope,
  ...textsOfAsia,
}

/** The languages of the texts. */
export const mailLanguages = Object.keys(mailTexts) as readonly Language[]

/** Whether a language, by its exact code, has texts. */
export const hasTexts = (language: string): language is Language => Object.hasOwn(mailTexts, language)

/** The texts of a language; those in English for any other one. */
export const textsIn = (language: string): MailTexts => (hasTexts(language) ? mailTexts[language] : english)
