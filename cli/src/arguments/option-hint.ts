import { longNames } from './option-names.ts'
import { uploadArgsDef } from './upload-args.ts'

/** Other programs have a command `send` that shares files with a link. */
export const useUploadHint =
  'svc send responds to an upload request; to share files with a link, use svc upload'

/** The hint for an option that a command lacks, if users mistake the command for another one that has the option. */
export const optionHint = (command: string, option: string): string | undefined =>
  command === 'send' && longNames(uploadArgsDef).includes(option) ? useUploadHint : undefined
