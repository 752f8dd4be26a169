import { run } from '../processes/child.ts'

/** A transfer of curl failed. */
export class TransferError extends Error {
  override readonly name = 'TransferError'
}

/** Seconds that curl needs to download `size` bytes and discard them. */
export async function download(url: string, size: number, signal: AbortSignal): Promise<number> {
  const report = await run(
    'curl',
    ['-sS', '-f', '-o', '/dev/null', '-w', '%{size_download} %{time_total}', url],
    {
      signal,
    },
  )
  const [bytes = NaN, elapsed = NaN] = report.split(' ').map(Number)
  if (bytes !== size)
    throw new TransferError(`curl got ${String(bytes)} bytes of ${url}, not ${String(size)}`)
  return elapsed
}

/** A file that was sent by quick upload. */
export interface SentUpload {
  readonly uploadID: string
  readonly uploadToken: string
  /** Its download URL. */
  readonly url: string
  readonly seconds: number
}

const responsePattern = /^(\S+)\n(\S+) (\S+) (\S+)$/

/** Uploads a file as a user does: `curl -F file=@FILE URL`. */
export async function upload(url: string, file: string, signal: AbortSignal): Promise<SentUpload> {
  const report = '%header{x-uploadid} %header{x-uploadtoken} %{time_total}'
  const response = await run('curl', ['-sS', '-f', '-F', `file=@${file}`, '-w', report, url], { signal })
  const [, link, uploadID, uploadToken, elapsed] = responsePattern.exec(response) ?? []
  if (link === undefined || uploadID === undefined || uploadToken === undefined)
    throw new TransferError(`curl received no valid response to an upload: ${response}`)
  return { uploadID, uploadToken, url: link, seconds: Number(elapsed) }
}

/** Streams a file to a recipient. Resolves when the recipient has every byte. */
export async function sendStream(
  url: string,
  {
    file,
    uploadToken,
    signal,
  }: { readonly file: string; readonly uploadToken: string; readonly signal: AbortSignal },
): Promise<void> {
  const form = ['-F', `file=@${file}`, '-H', `X-UploadToken: ${uploadToken}`]
  // With 100-continue: otherwise curl would send after a second without a response.
  await run('curl', ['-sS', '-f', '-o', '/dev/null', '--expect100-timeout', '600', ...form, url], { signal })
}
