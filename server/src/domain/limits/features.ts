import type { FlagValue } from '@svc/contract'
import { optionDisabled, optionRequired } from '../errors.ts'

/**
 * Whether a yes-or-no option of an upload is on.
 * @param requested what the request says of it, `undefined` when it says nothing
 * @throws ServiceError `option_disabled`
 */
export function decideOption(flag: FlagValue, requested: boolean | undefined, option: string): boolean {
  switch (flag) {
    case 'disabled':
      if (requested === true) throw optionDisabled(option)
      return false
    case 'enabled':
      return requested ?? false
    case 'default':
      return requested ?? true
    case 'forced':
      return true
  }
}

/**
 * A text that an option carries (a password, comments), `''` when there is none.
 * At `default` the web application presets it, and a request without it is taken as it is.
 * @throws ServiceError `option_disabled`, `option_required`
 */
export function decideText(flag: FlagValue, requested: string | undefined, option: string): string {
  const text = requested ?? ''
  switch (flag) {
    case 'disabled':
      if (text !== '') throw optionDisabled(option)
      return ''
    case 'enabled':
    case 'default':
      return text
    case 'forced':
      if (text === '') throw optionRequired(option)
      return text
  }
}
