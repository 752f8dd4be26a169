import { encodeFileName } from '@svc/contract'
import type { FastifyReply } from 'fastify'
import { listFolder, type ListingEntry } from '../../core/uploads/file-listing.ts'
import { fileNotFound } from '../../domain/not-found-errors.ts'
import { isLimited } from '../../domain/limits/download-limit.ts'
import type { UploadRecord } from '../../domain/records.ts'
import { escapeHTML } from '../../domain/text/escape-html.ts'
import { sendInChunks } from '../response/large-responses.ts'
import { everyDocument } from '../response/security-headers.ts'
import type { RequestContext } from '../steps/chain.ts'

/** No script, no style, and no sandbox, in which browsers refuse to save the files. */
const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const type = 'text/html; charset=utf-8'

/**
 * Sends the list of a folder of an upload, in the form of nginx (`autoindex on`), which programs that read directories know.
 * @param folder empty for the upload itself; otherwise its path, which ends in `/`
 * @throws ServiceError `file_not_found`, `unavailable`
 */
export async function sendFolder(
  { service, request, reply, upload }: RequestContext & { readonly upload: UploadRecord },
  folder: string,
): Promise<FastifyReply> {
  const entries = await listFolder(service, upload, folder)
  if (entries.length === 0 && folder !== '') throw fileNotFound()
  void reply.headers({ ...everyDocument, 'content-security-policy': policy, 'cache-control': 'no-store' })
  if (request.method === 'HEAD') return reply.type(type).send()
  return sendInChunks(reply, documentOf(`/${folder}`, robotsOf(upload), entries), type)
}

/** Programs that follow all links use up downloads that count, unless they obey this. */
const robotsOf = (upload: UploadRecord): string => (isLimited(upload) ? 'noindex, nofollow' : 'noindex')

function* documentOf(title: string, robots: string, entries: readonly ListingEntry[]): Generator<string> {
  const heading = `Files in ${escapeHTML(title)}`
  yield `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="${robots}">
<title>${heading}</title>
<h1>${heading}</h1><hr><pre>`
  // Nothing is above the upload.
  if (title !== '/') yield '<a href="../">../</a>\n'
  for (const entry of entries) yield lineOf(entry)
  yield '</pre><hr>\n</html>\n'
}

/** Columns of the names, and of the sizes. */
const nameWidth = 51
const sizeWidth = 20

function lineOf(entry: ListingEntry): string {
  const slash = entry.kind === 'folder' ? '/' : ''
  const name = entry.name + slash
  const link = `<a href="${escapeHTML(encodeFileName(entry.name))}${slash}">${escapeHTML(name)}</a>`
  const [date, size] = entry.kind === 'folder' ? ['-', '-'] : [dateOf(entry.modified), String(entry.size)]
  return `${link}${' '.repeat(Math.max(1, nameWidth - name.length))}${date.padEnd(17)}${size.padStart(sizeWidth)}\n`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `27-Nov-2026 08:05`, in UTC. */
function dateOf(milliseconds: number): string {
  const [year = '', month = '', day = '', hour = '', minute = ''] = new Date(milliseconds)
    .toISOString()
    .split(/[-T:]/)
  return `${day}-${months[Number(month) - 1] ?? ''}-${year} ${hour}:${minute}`
}
