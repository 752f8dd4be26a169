import { describeFile } from '../../core/uploads/describe-upload.ts'
import { addDeclaredFile as addDeclared, addFile as add } from '../../core/uploads/receive/receive-file.ts'
import { removeFile as remove } from '../../core/removal/remove-upload.ts'
import { streamFile } from '../../core/streams/send-stream.ts'
import type { BudgetKey } from '../../domain/access/budget-key.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { plainText } from '../response/reply.ts'
import type { RequestContext } from '../steps/chain.ts'
import { receiveForm } from '../request/forms/multipart.ts'
import { deferForm } from '../connections/deferred-form.ts'

type UploadContext = RequestContext & { readonly upload: UploadRecord; readonly budgetKey: BudgetKey | null }
type RemovalContext = RequestContext & { readonly upload: UploadRecord; readonly file: FileRecord }
type FileContext = UploadContext & { readonly file: FileRecord }

export async function addFile({ service, request, upload, budgetKey }: UploadContext) {
  return describeFile(
    upload,
    await receiveForm(request.raw, (incoming) => add(service, upload, { ...incoming, budgetKey })),
  )
}

export async function addDeclaredFile(context: FileContext) {
  const { service, request, upload, file, budgetKey } = context
  const stored =
    upload.stream === 1
      ? await deferForm(context, (sender) => streamFile(service, upload, file, { ...sender, budgetKey }))
      : await receiveForm(request.raw, (incoming) =>
          addDeclared(service, upload, file, { ...incoming, budgetKey }),
        )
  return describeFile(upload, stored)
}

export async function removeFile({ service, reply, upload, file }: RemovalContext) {
  await remove(service, upload, file)
  return plainText(reply, 'ok')
}
