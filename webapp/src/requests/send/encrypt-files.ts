import { createFileHeader, createPlainEngine, encryptName } from '@svc/encryption'
import type { QueuedFile } from '@svc/sdk'
import { encryptorFor } from '../../encryption/encryptor.ts'
import type { SelectedFile } from '../../upload/draft/selected-files.ts'
import { queuedEncryptedFile } from '../../upload/transfer/queued-file.ts'

/**
 * Files as they are sent to a recipient: encrypted, with their names.
 * @throws EncryptionError `bad_recipient`, `name_too_long`, `insecure_context`
 */
export async function encryptFiles(files: readonly SelectedFile[], recipient: string): Promise<QueuedFile[]> {
  const encryptionKey = { recipients: [recipient] }
  const engine = createPlainEngine()
  const encryptor = encryptorFor(encryptionKey)
  // The headers of all files for one recipient have the same size.
  const { encryptedSize } = await createFileHeader(encryptionKey, engine)
  const encrypted: QueuedFile[] = []
  for (const file of files) {
    const name = await encryptName(file.name, encryptionKey, engine)
    encrypted.push({
      ...queuedEncryptedFile({ ...file, name }, { encryptor, encryptedSize }),
      label: file.name,
    })
  }
  return encrypted
}
