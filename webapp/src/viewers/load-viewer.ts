import { loadViewerMessages } from '../i18n/viewer-messages.ts'
import { withMessages } from '../i18n/with-messages.ts'

/** The viewers of files, with their messages. */
export const loadViewerPanel = () => withMessages(import('./ViewerPanel.vue'), loadViewerMessages())
