import { openWithKey } from '../download/open-with-key.ts'
import type { UploadKey } from '../download/use-upload-key.ts'
import type { EncryptedFile } from '../encryption/encrypted-file.ts'
import { SavingError } from '../encryption/saving/target.ts'
import type { FileSource } from './file-source.ts'

/** The content of an encrypted file, decrypted in memory; not of an upload whose files can be had once. */
export const decryptedFile = (of: EncryptedFile, key: UploadKey): FileSource => ({
  address: undefined,
  whole: async (signal) => {
    const opened = await openWithKey(of, key, signal)
    if (opened === undefined) throw new SavingError('given_up', 'no key was given')
    return opened.file.blob('', signal)
  },
})
