import { defineAsyncComponent, type Component } from 'vue'
import { loadManagingMessages } from '../../i18n/managing-messages.ts'
import { withMessages } from '../../i18n/with-messages.ts'

/** A part of the page that is loaded on use, with its messages. */
export const withManagingMessages = <Part extends Component>(
  load: () => Promise<{ readonly default: Part }>,
) => defineAsyncComponent<Part>(async () => (await withMessages(load(), loadManagingMessages())).default)
