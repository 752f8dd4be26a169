import { homedir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

/** Programs that take long to fetch or build. The folder is outside of the checkout, so that all clones on a machine share them. */
export const toolCache = join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'svc-test-tools')
