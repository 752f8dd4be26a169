import { printable } from '@svc/terminal'
import { localFailure } from '../errors/failure.ts'
import { canAsk, confirm } from '../interactive/ask.ts'
import type { Program } from '../program/program.ts'

/**
 * Decides whether hidden files are saved. Programs read many of them as settings (`.bashrc`), so a sender could make commands
 * run.
 * @param names names of the hidden files
 */
export type HiddenPolicy = (names: readonly string[]) => Promise<boolean>

/** Whether a path below the target folder has a name that begins with a dot. */
export const isHidden = (segments: readonly string[]): boolean =>
  segments.some((segment) => segment.startsWith('.'))

/** Names in a question or an error. */
const shownNames = 3

const list = (names: readonly string[]): string =>
  names.slice(0, shownNames).map(printable).join(', ') + (names.length > shownNames ? ', …' : '')

/** @param isAllowed whether the command line allows them; otherwise the user is asked, if there is a terminal */
export const hiddenPolicy =
  (program: Program, isAllowed: boolean): HiddenPolicy =>
  async (names) => {
    if (isAllowed || names.length === 0) return true
    return canAsk(program) && (await confirm(program, `Save hidden files (${list(names)})?`))
  }

export const hiddenFailure = (names: readonly string[]) =>
  localFailure(`hidden files are not saved without --hidden: ${list(names)}`)
