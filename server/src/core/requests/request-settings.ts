import { effectiveLimits, unlimited, type NewUploadRequest, type UploadRequestUpdate } from '@svc/contract'
import { networkOf } from '../../domain/access/addresses.ts'
import type { BudgetKey } from '../../domain/access/budget-key.ts'
import * as errors from '../../domain/errors.ts'
import { effectiveTTL, expiryAfter } from '../../domain/limits/lifetime.ts'
import { bit, type RequestRecord, type UserRecord } from '../../domain/records.ts'
import { requireSafeInteger } from '../../domain/storable-number.ts'
import type { RequestChanges } from '../../metadata/requests/requests.ts'
import type { Service } from '../service.ts'
import {
  parseExtension,
  passkeyIdentitiesIn,
  requireMessageText,
  requireRecipient,
  requireTitle,
  wrappedIdentityIn,
} from './request-texts.ts'

/** The owner of a request, and the source of the change. */
export interface RequestAuthor {
  /** Null for a guest. */
  readonly owner: UserRecord | null
  readonly address: string
  readonly budgetKey: BudgetKey | null
}

/**
 * Validates settings of a request, and converts them to columns.
 * @throws ServiceError `invalid_request`, `option_disabled`, `infinite_ttl`, `unavailable`, `budget_reached`
 */
export async function settingsOf(
  service: Pick<Service, 'budgets' | 'clock' | 'config' | 'passwords'>,
  settings: UploadRequestUpdate,
  author: RequestAuthor,
): Promise<RequestChanges> {
  const { title, message, extensions, oneSender, senderName, afterEnd, password, ttl, uploadTTL } = settings
  const { wrappedIdentity, passkeyIdentities } = settings
  if (title !== undefined) requireTitle(title)
  if (message !== undefined) requireMessage(service, message)
  return {
    ...(title !== undefined && { title }),
    ...(message !== undefined && { message }),
    ...(ttl !== undefined && {
      expireAt: expiryAfter(service.clock.now(), requestedLifetime(service, ttl, author)),
    }),
    ...limitsIn(settings),
    ...(extensions !== undefined && { extensions: extensions.map(parseExtension).join(' ') }),
    ...(oneSender !== undefined && { oneSender: bit(oneSender) }),
    ...(senderName !== undefined && { senderName }),
    ...(uploadTTL !== undefined && { uploadTtl: requestedLifetime(service, uploadTTL, author) }),
    ...(afterEnd !== undefined && { afterEnd }),
    ...(wrappedIdentity !== undefined && { wrappedIdentity: wrappedIdentityIn(wrappedIdentity) }),
    ...(passkeyIdentities !== undefined && { passkeyIdentities: passkeyIdentitiesIn(passkeyIdentities) }),
    ...(password !== undefined && { passwordHash: await hashOf(service, password, author) }),
  }
}

/**
 * The lifetime of a request or of its uploads, by the rules of uploads.
 * @returns seconds; -1 means unlimited
 * @throws ServiceError `infinite_ttl`
 */
export function requestedLifetime(
  { config }: Pick<Service, 'config'>,
  requested: number,
  { owner }: Pick<RequestAuthor, 'owner'>,
): number {
  const { maxTTL } = effectiveLimits(owner, config)
  return effectiveTTL(requested, { defaultTTL: config.defaultTTL, maxTTL }, config.features.feature_set_ttl)
}

/**
 * Checks the recipient of a new request.
 * @throws ServiceError `option_disabled`, `invalid_request`
 */
export function recipientIn(
  { config }: Pick<Service, 'config'>,
  { recipient = '' }: NewUploadRequest,
): string {
  if (recipient === '') return ''
  if (config.features.feature_e2ee === 'disabled') throw errors.optionDisabled('recipient')
  requireRecipient(recipient)
  return recipient
}

function requireMessage({ config }: Pick<Service, 'config'>, message: string): void {
  if (message !== '' && config.features.feature_comments === 'disabled')
    throw errors.optionDisabled('message')
  requireMessageText(message)
}

const limitNames = ['maxFiles', 'maxFileSize', 'maxSize'] as const

function limitsIn(settings: UploadRequestUpdate): Partial<Pick<RequestRecord, (typeof limitNames)[number]>> {
  const named = limitNames.flatMap((name) => {
    const value = settings[name]
    if (value === undefined) return []
    requireSafeInteger(name, value)
    return [[name, value <= 0 ? unlimited : value]]
  })
  return Object.fromEntries(named) as Partial<Pick<RequestRecord, (typeof limitNames)[number]>>
}

async function hashOf(
  { budgets, config, passwords }: Pick<Service, 'budgets' | 'config' | 'passwords'>,
  password: string,
  { address, budgetKey }: RequestAuthor,
): Promise<string | null> {
  if (password === '') return null
  if (config.features.feature_password === 'disabled') throw errors.optionDisabled('password')
  budgets.spend(budgetKey, 'passwordUploads')
  return passwords.hash(password, { queue: 'upload password', network: networkOf(address) })
}
