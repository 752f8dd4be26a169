import {
  ageScheme,
  isAlias,
  limits,
  type Configuration,
  type FlagValue,
  type UploadOptions,
} from '@svc/contract'
import { presetTTL } from './ttl-choices.ts'

/** The options of a new upload. The values of options that are off stay, and are not sent. */
export interface UploadForm {
  readonly oneShot: boolean
  /** How many times each file can be downloaded, if the upload is neither one-shot nor a stream; 0 without a limit. */
  readonly maxDownloads: number
  readonly stream: boolean
  readonly removable: boolean
  readonly extendTTL: boolean
  readonly protect: boolean
  readonly login: string
  readonly password: string
  readonly describe: boolean
  readonly comments: string
  readonly encrypt: boolean
  /** Passphrase of the files: generated or chosen. Never sent. */
  readonly passphrase: string
  /** The end of the link, for users; empty for none. */
  readonly alias: string
  /** Seconds; -1 means forever. */
  readonly ttl: number
}

/** Switches in the order of the page, with their feature flags. `often`: those that most people look for. */
export const switches = [
  { name: 'protect', flag: 'feature_password', often: true },
  { name: 'oneShot', flag: 'feature_one_shot', often: true },
  { name: 'encrypt', flag: 'feature_e2ee', often: true },
  { name: 'describe', flag: 'feature_comments', often: false },
  { name: 'stream', flag: 'feature_stream', often: false },
  { name: 'removable', flag: 'feature_removable', often: false },
  { name: 'extendTTL', flag: 'feature_extend_ttl', often: false },
] as const

/** Whether the server offers any option. */
export const hasOptions = (configuration: Configuration): boolean =>
  configuration.feature_set_ttl !== 'disabled' ||
  switches.some(({ flag }) => configuration[flag] !== 'disabled')

const isPreset = (flag: FlagValue) => flag === 'default' || flag === 'forced'

/** The form with the server's defaults (docs/protocol.md#feature-flags). */
export function initialForm(configuration: Configuration): UploadForm {
  return {
    oneShot: isPreset(configuration.feature_one_shot),
    maxDownloads: 0,
    stream: isPreset(configuration.feature_stream),
    removable: isPreset(configuration.feature_removable),
    extendTTL: isPreset(configuration.feature_extend_ttl),
    protect: isPreset(configuration.feature_password),
    login: '',
    password: '',
    describe: isPreset(configuration.feature_comments),
    comments: '',
    encrypt: isPreset(configuration.feature_e2ee),
    passphrase: '',
    alias: '',
    ttl: presetTTL(configuration),
  }
}

/** The offered numbers of downloads. */
export const downloadLimits: readonly number[] = [2, 3, 5, 10, 25, 100]

/** Whether the number of downloads can be limited to more than one. */
export const allowsLimit = (
  { oneShot, stream }: Pick<UploadForm, 'oneShot' | 'stream'>,
  { feature_one_shot: flag }: Pick<Configuration, 'feature_one_shot'>,
): boolean => !oneShot && !stream && flag !== 'disabled' && flag !== 'forced'

/** The error that prevents sending the form. */
export type FormProblem =
  | 'passphraseMissing'
  | 'passwordMissing'
  | 'commentsMissing'
  | 'commentsTooLong'
  | 'loginColon'
  | 'alias'
  | 'ttl'

const bytesOf = (text: string) => new TextEncoder().encode(text).length

export function findFormProblem(form: UploadForm, configuration: Configuration): FormProblem | undefined {
  if (form.encrypt && form.passphrase.trim() === '') return 'passphraseMissing'
  if (form.protect && form.password === '') return 'passwordMissing'
  // A colon ends the login in HTTP Basic (RFC 7617).
  if (form.protect && form.login.includes(':')) return 'loginColon'
  if (configuration.feature_comments === 'forced' && form.comments.trim() === '') return 'commentsMissing'
  if (form.describe && bytesOf(form.comments) > limits.commentsBytes) return 'commentsTooLong'
  if (form.alias !== '' && !isAlias(form.alias)) return 'alias'
  const { maxTTL } = configuration
  const isAllowed = form.ttl > 0 ? maxTTL <= 0 || form.ttl <= maxTTL : form.ttl < 0 && maxTTL <= 0
  return isAllowed ? undefined : 'ttl'
}

/** Sends every option explicitly, because the server applies its defaults to missing ones. */
export function toOptions(form: UploadForm, configuration: Configuration): UploadOptions {
  const knows = (flag: FlagValue) => flag !== 'disabled'
  return {
    ...(knows(configuration.feature_set_ttl) && { ttl: form.ttl }),
    ...(knows(configuration.feature_one_shot) && { oneShot: form.oneShot }),
    ...(allowsLimit(form, configuration) && form.maxDownloads > 0 && { maxDownloads: form.maxDownloads }),
    ...(knows(configuration.feature_stream) && { stream: form.stream }),
    ...(knows(configuration.feature_removable) && { removable: form.removable }),
    ...(knows(configuration.feature_extend_ttl) && { extend_ttl: form.extendTTL }),
    ...(form.encrypt && { e2ee: ageScheme }),
    ...(form.protect && { password: form.password, ...(form.login !== '' && { login: form.login }) }),
    ...(form.alias !== '' && { alias: form.alias }),
    ...(form.describe && form.comments.trim() !== '' && { comments: form.comments }),
  }
}
