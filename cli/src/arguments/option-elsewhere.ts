import { longNames } from './option-names.ts'
import { uploadArguments } from './upload.ts'

/** Other programs call an upload `send`. */
export const useUpload = 'svc send responds to an upload request; to share files with a link, use svc upload'

/** What to say about an option that a command lacks, if the command is taken for another one that has the option. */
export const commandWith = (command: string, option: string): string | undefined =>
  command === 'send' && longNames(uploadArguments).includes(option) ? useUpload : undefined
