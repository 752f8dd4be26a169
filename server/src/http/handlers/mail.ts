import type { LinkMail } from '@svc/contract'
import { mailLink as mail } from '../../core/notifications/mail-link.ts'
import type { UploadRecord, UserRecord } from '../../domain/records.ts'
import type { RequestContext } from '../steps/chain.ts'

export const mailLink = ({
  service,
  request,
  user,
  upload,
}: RequestContext & { readonly user: UserRecord; readonly upload: UploadRecord }) =>
  mail(service, user, upload, request.body as LinkMail)
