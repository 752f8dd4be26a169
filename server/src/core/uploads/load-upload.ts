import { equalSecrets, isSecretOf } from '../../auth/secrets.ts'
import { decideAccess, type Action, type Caller } from '../../domain/access/access.ts'
import { networkOf } from '../../domain/access/addresses.ts'
import * as errors from '../../domain/errors.ts'
import { isId } from '../../domain/ids.ts'
import { isAdmin, type Principal } from '../../domain/access/principal.ts'
import { isOver } from '../../domain/limits/lifetime.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { throttled } from '../accounts/throttle.ts'
import type { Service } from '../service.ts'

/** What a request shows to prove its rights. */
export interface Credentials {
  readonly uploadToken?: string | undefined
  /** From HTTP Basic. */
  readonly basic?: { readonly login: string; readonly password: string } | undefined
  readonly visitor: Principal
  /** Where the request comes from. */
  readonly address: string
}

/** @throws ServiceError `upload_not_found` for one that never was, is removed, or is past its end */
export async function loadUpload(
  { store, clock }: Pick<Service, 'clock' | 'store'>,
  id: string,
): Promise<UploadRecord> {
  const upload = isId(id) ? await store.uploads.find(id) : undefined
  if (upload === undefined || isOver(upload, clock.now())) throw errors.uploadNotFound()
  return upload
}

/**
 * The file of an upload that a URL names.
 * @param fileName must be the file's name
 * @throws ServiceError `file_not_found`
 */
export async function loadFile(
  { store }: Pick<Service, 'store'>,
  upload: UploadRecord,
  id: string,
  fileName: string,
): Promise<FileRecord> {
  const file = isId(id) ? await store.files.find(upload.id, id) : undefined
  if (file === undefined || file.fileName !== fileName) throw errors.fileNotFound()
  return file
}

/** Who the sender of a request is, with regard to an upload. */
export const callerOf = (upload: UploadRecord, { uploadToken, visitor }: Credentials): Caller => ({
  holdsUploadToken: uploadToken !== undefined && isSecretOf(uploadToken, upload.tokenHash),
  isOwner: visitor.user !== null && visitor.user.id === upload.userId,
  scopes: visitor.scopes,
  isAdmin: isAdmin(visitor),
})

/**
 * Lets an action pass, or refuses it.
 * @throws ServiceError `not_allowed`, `wrong_credentials`, `too_many_attempts`
 */
export async function authorize(
  service: Pick<Service, 'clock' | 'passwords' | 'store'>,
  action: Action,
  upload: UploadRecord,
  proof: Credentials,
): Promise<void> {
  const caller = callerOf(upload, proof)
  switch (decideAccess(action, upload, caller)) {
    case 'allowed':
      return
    case 'refused':
      // An owner may do anything, but not with every token.
      if (caller.isOwner) throw errors.beyondScopes(action, caller.scopes)
      throw errors.notAllowed(`${action}: send the token of the upload`)
    case 'password':
      if (!(await knowsPassword(service, upload, proof))) throw errors.wrongCredentials()
  }
}

async function knowsPassword(
  service: Pick<Service, 'clock' | 'passwords' | 'store'>,
  upload: UploadRecord,
  { basic: credentials, address }: Credentials,
): Promise<boolean> {
  const { passwordHash, login } = upload
  if (credentials === undefined || passwordHash === null) return false
  const { passwords } = service
  const { password } = credentials
  const isLogin = equalSecrets(credentials.login, login ?? '')
  const guess = { kind: 'upload password', subject: upload.id, address } as const
  // A wrong login takes as long as a wrong password.
  const turn = { line: 'upload password', network: networkOf(address) } as const
  const check = () =>
    throttled(service, guess, async () => (await passwords.verify(password, passwordHash, turn)) && isLogin)
  return isLogin ? passwords.verifyOften(password, passwordHash, { asker: address, check }) : check()
}
