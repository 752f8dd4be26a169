import {
  defaultUploadLogin,
  effectiveLimits,
  limits,
  type FileDeclaration,
  type UploadOptions,
} from '@svc/contract'
import { hashSecret } from '../../auth/secrets.ts'
import { networkOf } from '../../domain/access/addresses.ts'
import type { BudgetKey } from '../../domain/access/budget-key.ts'
import * as errors from '../../domain/errors.ts'
import { decideDownloads } from '../../domain/limits/download-limit.ts'
import { resolveBooleanOption, resolveTextOption } from '../../domain/limits/features.ts'
import { parseFileName } from '../../domain/files/file-name.ts'
import { randomId, randomUploadToken } from '../../domain/ids.ts'
import { effectiveTTL, expiryAfter } from '../../domain/limits/lifetime.ts'
import { bit, type FileRecord, type UploadRecord, type UserRecord } from '../../domain/records.ts'
import { optionBits } from '../../domain/limits/upload-options.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { requireSafeInteger } from '../../domain/storable-number.ts'
import { requireStorable } from '../../domain/text/storable-text.ts'
import { aliasIn, takeAlias } from './alias.ts'
import { newFile } from './new-file.ts'
import type { Accounts, Base, Clients, Service } from '../service.ts'
import { writeForUser } from '../accounts/write-for-user.ts'
import { requireFileSize } from '../limits/file-size.ts'
import { reserveUpload } from '../limits/request-limits.ts'

export interface NewUpload {
  readonly upload: UploadRecord
  readonly files: readonly FileRecord[]
  /** Returned only here, to the creator of the upload. */
  readonly token: string
  readonly alias?: string | undefined
}

/** A new upload before it is written. */
export interface PlannedUpload {
  readonly upload: UploadRecord
  readonly token: string
}

/** The creator of an upload, and the source of the request. */
export interface Uploader {
  readonly principal: Principal
  readonly address: string
  readonly budgetKey: BudgetKey | null
}

/**
 * Creates an upload with the files that its options declare.
 * @throws ServiceError when an option is invalid, `anonymous_refused`, `login_required` for a guest's alias, `alias_taken`
 */
export async function createUpload(
  service: Service,
  options: UploadOptions,
  uploader: Uploader,
): Promise<NewUpload> {
  const { upload, token } = await planUpload(service, options, uploader)
  const declared = options.files ?? []
  if (declared.length > service.config.maxFilePerUpload)
    throw errors.tooManyFiles(service.config.maxFilePerUpload)
  const { user } = uploader.principal
  const alias = options.alias === undefined ? undefined : aliasIn(options.alias, user?.id ?? null)
  service.budgets.spend(uploader.budgetKey, 'files', declared.length)
  const files = declared.map((declaration, position) =>
    declaredFile(service, { ...declaration, position }, upload, user),
  )
  if (upload.stream === 0) await requireSpace(service, uploader.budgetKey, files)
  await saveUpload(service, { ...upload, fileCount: files.length }, files, alias)
  service.dailyStats.uploadCreated(upload)
  return { upload, files, token, alias }
}

/**
 * Validates the options of a new upload and builds its row, without writing it.
 * @throws ServiceError when an option is invalid, `anonymous_refused`
 */
export async function planUpload(
  service: Accounts & Base & Clients,
  options: UploadOptions,
  uploader: Uploader,
): Promise<PlannedUpload> {
  const { config, clock, random } = service
  const { principal, address } = uploader
  const { features } = config
  const { user } = principal
  if (user === null && features.feature_authentication === 'forced') throw errors.anonymousRefused()
  service.budgets.spend(uploader.budgetKey, 'uploads')
  const option = (name: 'removable' | 'stream' | 'extend_ttl', flag: keyof typeof features) =>
    bit(resolveBooleanOption(features[flag], options[name], name))
  const now = clock.now()
  const ttl = effectiveTTL(
    options.ttl ?? 0,
    { defaultTTL: config.defaultTTL, maxTTL: effectiveLimits(user, config).maxTTL },
    features.feature_set_ttl,
  )
  const token = randomUploadToken(random)
  const stream = option('stream', 'feature_stream')
  const { oneShot, maxDownloads } = options
  const upload = {
    id: randomId(random),
    tokenHash: hashSecret(token),
    ttl,
    extendTtl: option('extend_ttl', 'feature_extend_ttl'),
    ...decideDownloads(features.feature_one_shot, { oneShot, maxDownloads, stream }),
    removable: option('removable', 'feature_removable'),
    stream,
    comments: validComments(service, options.comments),
    e2ee: encryption(service, options.e2ee),
    address,
    fileCount: 0,
    size: 0,
    userId: user?.id ?? null,
    userToken: principal.token,
    createdAt: now,
    expireAt: expiryAfter(now, ttl),
    deletedAt: null,
    generation: user?.generation ?? 0,
    erasedAt: null,
    requestId: null,
    requestTokenHash: null,
    sender: null,
    maxFileSize: null,
    placeUntil: null,
  }
  const protection = await credentials(service, options, uploader)
  const bits = optionBits({
    oneShot: upload.oneShot === 1,
    removable: upload.removable === 1,
    stream: upload.stream === 1,
    extendTtl: upload.extendTtl === 1,
    password: protection.passwordHash !== null,
    e2ee: upload.e2ee !== '',
  })
  return { upload: { ...upload, ...protection, options: bits }, token }
}

/**
 * Writes an upload and its first files in one transaction.
 * @throws ServiceError `invalid_session` when its owner was deleted in the meantime, `alias_taken`
 */
export async function saveUpload(
  service: Pick<Service, 'rowSpace' | 'store'>,
  upload: UploadRecord,
  files: readonly FileRecord[],
  alias?: string,
): Promise<void> {
  const { userId } = upload
  await service.rowSpace.require(textBytes(upload, files))
  const save = () => insertUpload(service, upload, files, alias)
  await (userId === null ? save() : writeForUser(service, userId, save))
}

/** The approximate bytes of the texts of an upload and its files. */
const textBytes = ({ comments }: UploadRecord, files: readonly FileRecord[]): number =>
  files.reduce(
    (sum, { fileName, reference }) => sum + 4096 + fileName.length + (reference?.length ?? 0),
    comments.length,
  )

/**
 * Checks that the declared sizes fit. The space is reserved when each file begins to arrive.
 * @throws ServiceError `no_space`
 */
export async function requireSpace(
  { freeSpace }: Pick<Service, 'freeSpace'>,
  budgetKey: BudgetKey | null,
  files: readonly FileRecord[],
): Promise<void> {
  const bytes = files.reduce((sum, { fileSize }) => sum + fileSize, 0)
  if (bytes > 0) (await freeSpace.announce(budgetKey, bytes)).end()
}

async function insertUpload(
  { store }: Pick<Service, 'store'>,
  upload: UploadRecord,
  files: readonly FileRecord[],
  alias: string | undefined,
): Promise<void> {
  await store.transaction(async (transaction) => {
    if (alias !== undefined) await takeAlias(transaction, upload.id, alias, upload.createdAt)
    await transaction.uploads.insert(upload)
    await transaction.files.insertAll(files)
    await reserveUpload(transaction, upload, files.length, upload.createdAt)
    await transaction.totals.add(upload.userId, { uploads: 1 })
  })
}

export function validComments({ config }: Pick<Service, 'config'>, requested: string | undefined): string {
  const text = resolveTextOption(config.features.feature_comments, requested, 'comments')
  requireStorable('comments', text)
  if (Buffer.byteLength(text) > limits.commentsBytes) {
    throw errors.invalidRequest(`the comments are too long (limit is ${String(limits.commentsBytes)} bytes)`)
  }
  return text
}

const schemeName = /^[\w.-]*$/

function encryption({ config }: Pick<Service, 'config'>, requested: string | undefined): string {
  const scheme = resolveTextOption(config.features.feature_e2ee, requested, 'e2ee')
  if (!schemeName.test(scheme))
    throw errors.invalidRequest('e2ee must be the name of an encryption scheme, such as age')
  return scheme
}

/** HTTP Basic separates login and password by a colon, so a login must not contain one (RFC 7617). */
async function credentials(
  service: Pick<Service, 'budgets' | 'config' | 'passwords'>,
  { login = '', password: requested }: UploadOptions,
  { address, budgetKey }: Uploader,
): Promise<Pick<UploadRecord, 'login' | 'passwordHash'>> {
  const password = resolveTextOption(service.config.features.feature_password, requested, 'password')
  if (password === '') {
    if (login !== '') throw errors.invalidRequest('a login needs a password')
    return { login: null, passwordHash: null }
  }
  requireStorable('login', login)
  if (login.includes(':')) throw errors.invalidRequest('a login must not contain a colon')
  service.budgets.spend(budgetKey, 'passwordUploads')
  return {
    login: login === '' ? defaultUploadLogin : login,
    passwordHash: await service.passwords.hash(password, {
      queue: 'upload password',
      network: networkOf(address),
    }),
  }
}

/** @throws ServiceError `invalid_file_name`, `invalid_request`, `file_too_big` */
export function declaredFile(
  service: Pick<Service, 'clock' | 'config' | 'instance' | 'random'>,
  declaration: FileDeclaration & { readonly position: number },
  upload: UploadRecord,
  owner: UserRecord | null,
): FileRecord {
  const name = parseFileName(declaration.fileName, { folders: true })
  if (!name.ok) throw errors.invalidFileName(name.reason)
  const { fileSize = 0, reference = null } = declaration
  requireSafeInteger('fileSize', fileSize)
  requireStorable('reference', reference ?? '')
  requireFileSize(service, owner, upload, fileSize)
  return newFile(service, upload, {
    fileName: name.name,
    reference,
    fileSize,
    status: 'missing',
    position: declaration.position,
  })
}
