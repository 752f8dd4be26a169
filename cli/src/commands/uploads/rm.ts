import { isGoneFile, isManifest, type Upload } from '@svc/contract'
import { ApiError } from '@svc/sdk'
import { defineCommand, type ArgsDef } from 'citty'
import { printable, printableJson } from '@svc/terminal'
import { outputArgsDef, passwordArgsDef, serverArgsDef } from '../../arguments/common-args.ts'
import { removeFromHistory } from '../../state/history.ts'
import { errorMessage } from '../../errors/error-message.ts'
import { Failure } from '../../errors/failure.ts'
import { loadUpload, openLink, type OpenedLink } from '../../links/open-link.ts'
import type { Program } from '../../program/program.ts'
import { shownName, withLocalNames, type LocallyNamed } from '../../state/unfinished/local-names.ts'
import { forgetUnfinished } from '../../state/unfinished/unfinished-upload.ts'
import { canAsk, confirm } from '../../interactive/ask.ts'

const argsDef = {
  link: {
    type: 'positional',
    required: true,
    description: 'Link or id of an upload, or the link of one of its files',
  },
  yes: {
    type: 'boolean',
    alias: 'y',
    description: 'Skip the confirmation; without a terminal, svc never asks',
  },
  ...passwordArgsDef,
  ...serverArgsDef,
  ...outputArgsDef,
} as const satisfies ArgsDef

export const rm = (program: Program) =>
  defineCommand({
    meta: {
      name: 'rm',
      description:
        'Delete an upload or one of its files: your own, or with the link to manage it; anyone with the link may delete files of a removable upload',
    },
    args: argsDef,
    async run({ args }) {
      const opened = await openLink(program, args, args.link)
      const { upload, access: checked } = await loadOrForget(program, opened)
      // A password that was checked does not allow deletion, the token does.
      const access = { ...checked, uploadToken: checked.uploadToken ?? opened.ownToken }
      const file = fileOf(await withLocalNames(program, opened.base, upload), opened)
      const what = file === undefined ? `upload ${upload.id}` : printable(await shownName(file))
      if (args.yes !== true && canAsk(program) && !(await confirm(program, `Delete ${what}?`)))
        throw new Failure('nothing was deleted')
      if (file === undefined) {
        await opened.client.removeUpload(upload.id, access)
        await forget(program, opened)
      } else {
        await opened.client.removeFile(upload.id, file, access)
        // An upload without files is nothing to list.
        if (opened.ownToken !== undefined && !hasOthers(upload, file.id)) await forget(program, opened)
      }
      const removed = { upload: upload.id, ...(file !== undefined && { file: file.id, name: file.fileName }) }
      if (args.json === true) program.print(printableJson({ removed }))
      else if (args.quiet !== true) program.print(`deleted ${what}`)
    },
  })

function fileOf(files: readonly LocallyNamed[], { link }: OpenedLink) {
  if (link.fileID === undefined) return undefined
  const file = files.find(({ id }) => id === link.fileID)
  if (file === undefined) throw new Failure('the upload has no such file')
  return file
}

/** Whether an upload has other files than one that is removed. */
const hasOthers = (upload: Upload, removed: string): boolean =>
  upload.files.some((file) => file.id !== removed && !isManifest(upload, file) && !isGoneFile(file))

async function forget(program: Program, { base: server, link: { uploadID: id } }: OpenedLink): Promise<void> {
  await forgetUnfinished(program, { server, id })
  try {
    await removeFromHistory(program, server, id)
  } catch (error) {
    program.printToStderr(`${printable(errorMessage(error))}; svc ls still shows the upload`)
  }
}

/** Forgets an upload of this computer that the server does not have any more. */
async function loadOrForget(program: Program, opened: OpenedLink) {
  try {
    return await loadUpload(program, opened)
  } catch (error) {
    if (opened.ownToken !== undefined && error instanceof ApiError && error.code === 'upload_not_found')
      await forget(program, opened)
    throw error
  }
}
