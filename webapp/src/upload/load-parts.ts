import { loadManagingMessages } from '../i18n/managing-messages.ts'
import { withMessages } from '../i18n/with-messages.ts'

/** The progress of an upload and its link, with their messages. */
export const loadUploadingView = () =>
  withMessages(import('./transfer/UploadingView.vue'), loadManagingMessages())

/** Why an upload was not created, with its messages. */
export const loadUploadRefusal = () => withMessages(import('./UploadRefusal.vue'), loadManagingMessages())

/** Loads what an upload needs before it uses the connection, or finds that there is none. */
export const preloadUploading = () =>
  Promise.all([loadUploadingView(), loadUploadRefusal(), import('./transfer/own-upload.ts')])

/** Loads what the upload of encrypted files needs besides. */
export const preloadEncryption = () =>
  Promise.all([import('../encryption/encryptor.ts'), import('./manifest/manifest-transfer.ts')])

/** What adds files to an upload, with its messages. */
export const loadAddFiles = () => withMessages(import('./AddFiles.vue'), loadManagingMessages())

/** The editor of texts, with its messages. */
export const loadTextEditor = () => withMessages(import('./TextEditor.vue'), loadManagingMessages())
