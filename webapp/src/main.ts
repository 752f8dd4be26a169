import { pageFromHash, type PageName } from './app/page-from-hash.ts'
import { frequentPages } from './app/frequent-pages.ts'
import { showStartFailure } from './app/start-failure.ts'
import { loadFirstMessages } from './i18n/common-messages.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'

// This script imports no library, so it arrives first, and requests the page and its texts while the libraries are on their way.
// Errors of these requests show where the page and the texts are used.
const early: Partial<Record<PageName, () => Promise<unknown>>> = frequentPages
early[pageFromHash(location.hash)]?.().catch(() => undefined)
loadFirstMessages().catch(() => undefined)

import('./start.ts')
  .then(({ start }) => start())
  .catch((error: unknown) => {
    showStartFailure()
    reportError(error)
  })
