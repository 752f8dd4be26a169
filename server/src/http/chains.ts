import { emptyChain } from './chain.ts'
import { blockBots, refuseServiceWorkers } from './steps/guard-download.ts'
import { loadFileStep } from './steps/load-file.ts'
import { loadUploadStep } from './steps/load-upload.ts'
import { logRequest } from './steps/log-request.ts'
import { permitTo } from './steps/permit.ts'
import { readProof } from './steps/read-proof.ts'
import { sourceAddress } from './steps/source-address.ts'
import { checkUploaderAddress } from './steps/uploader-address.ts'

/** The middleware chains (specification §1). Whatever they or a handler throw, the error handler answers. */
export const empty = emptyChain

export const standard = empty.use(sourceAddress).use(logRequest)

export const token = standard.use(readProof)

/** Every door for bytes. */
export const uploading = token.use(checkUploaderAddress)

const upload = token.use(loadUploadStep)

export const reading = upload.use(permitTo('read'))
export const adding = uploading.use(loadUploadStep).use(permitTo('add files'))
export const addingDeclared = adding.use(loadFileStep)
export const removingUpload = upload.use(permitTo('remove the upload'))
export const removingFile = upload.use(permitTo('remove files')).use(loadFileStep)

export const archiveDownload = token
  .use(refuseServiceWorkers)
  .use(loadUploadStep)
  .use(blockBots)
  .use(permitTo('read'))

export const fileDownload = archiveDownload.use(loadFileStep)
