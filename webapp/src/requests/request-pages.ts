import type { Component } from 'vue'
import { loadAccountMessages } from '../i18n/i18n.ts'
import { loadRequestMessages } from '../i18n/request-messages.ts'
import { withMessages } from '../i18n/with-messages.ts'

interface PageModule {
  readonly default: Component
}

/** The page of a request for its senders, with its messages. */
export const senderPage = (): Promise<PageModule> =>
  withMessages(import('./send/RequestPage.vue'), loadRequestMessages())

/** The pages of requests for their owner. In the account, its tabs need the messages of the account, too. */
export const ownerPage = (): Promise<PageModule> =>
  withMessages(import('./owner/RequestsPage.vue'), loadRequestMessages(), loadAccountMessages())
