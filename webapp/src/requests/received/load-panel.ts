import { loadViewerMessages } from '../../i18n/viewer-messages.ts'
import { withMessages } from '../../i18n/with-messages.ts'

/** The viewer of received files, with its messages. */
export const loadReceivedPanel = () => withMessages(import('./ReceivedPanel.vue'), loadViewerMessages())
