import { isManifest } from './names.ts'

/**
 * Maximum bytes of a manifest that is read without a download, in uploads with a download limit too: those of a hundred thousand files.
 * A larger file of its name is one like any other.
 */
export const maxFreeManifestBytes = 64 * 1024 * 1024

interface ManifestUpload {
  readonly stream?: boolean | undefined
  readonly oneShot?: boolean | undefined
  readonly maxDownloads?: number | undefined
}

/** Whether an encrypted upload has a manifest. The link of a stream is needed before its content is known. */
export const canHaveManifest = ({ stream }: ManifestUpload): boolean => stream !== true

interface DescribedFile {
  readonly fileName: string
  readonly downloadsLeft?: number | undefined
}

/**
 * Whether the server of an upload lets recipients read its manifest any number of times. Earlier servers count downloads of the manifest
 * in an upload with a download limit, so that its first recipient would use it up for all others.
 * @param upload with the declared manifest
 */
export function servesManifest(
  upload: ManifestUpload & { readonly e2ee: string; readonly files: readonly DescribedFile[] },
): boolean {
  const { oneShot, maxDownloads, files } = upload
  if (!canHaveManifest(upload)) return false
  if (oneShot !== true && maxDownloads === undefined) return true
  const isFree = (file: DescribedFile) => isManifest(upload, file) && file.downloadsLeft === undefined
  // Servers without `maxDownloads` have no `downloadsLeft` either.
  return maxDownloads !== undefined && files.some(isFree)
}
