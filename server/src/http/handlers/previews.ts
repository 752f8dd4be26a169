import { addPreview, readPreview } from '../../core/previews/previews.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { evaluate } from '../downloads/conditional.ts'
import { cacheControl } from '../downloads/download-headers.ts'
import { contentDisposition } from '../downloads/disposition.ts'
import { receiveSmall } from '../request/request-body.ts'
import type { RequestContext } from '../steps/chain.ts'

type FileContext = RequestContext & { readonly upload: UploadRecord; readonly file: FileRecord }

export async function putPreview({ service, request, reply, upload, file }: FileContext) {
  await addPreview(service, upload, file, (maxBytes) => receiveSmall(request.raw, maxBytes))
  return reply.code(204).send()
}

export async function getPreview({ service, request, reply, upload, file }: FileContext) {
  const { content, type } = await readPreview(service, upload, file)
  // A preview is never replaced.
  const etag = `"${file.id}"`
  // The name of the file would belong to a smaller picture where a browser saves it.
  const headers = {
    'content-type': type,
    'content-disposition': contentDisposition('preview', 'inline'),
    'cache-control': cacheControl(upload),
    etag,
  }
  const conditions = { ...request.headers, range: undefined }
  const { status } = evaluate(conditions, { etag, lastModified: null }, content.length)
  if (status === 304) return reply.code(304).headers(headers).send()
  return reply.headers({ ...headers, 'content-length': String(content.length) }).send(Buffer.from(content))
}
