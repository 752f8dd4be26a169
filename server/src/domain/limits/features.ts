import type { FlagValue } from '@svc/contract'
import { optionDisabled, optionRequired } from '../errors.ts'

/**
 * Whether a boolean option of an upload is on.
 * @param requested the value in the request, `undefined` when it has none
 * @throws ServiceError `option_disabled`
 */
export function resolveBooleanOption(
  flag: FlagValue,
  requested: boolean | undefined,
  option: string,
): boolean {
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
 * The text of an option (a password, comments); `''` when there is none. With `default` the web application presets
 * the option, but a request without it is valid.
 * @throws ServiceError `option_disabled`, `option_required`
 */
export function resolveTextOption(flag: FlagValue, requested: string | undefined, option: string): string {
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
