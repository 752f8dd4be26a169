import type { Upload } from '@svc/contract'
import { defineCommand, type ArgsDef } from 'citty'
import { printable, printableJson } from '@svc/terminal'
import { outputArguments, serverArguments } from '../arguments/common.ts'
import { removeFromHistory } from '../config/history.ts'
import { Failure } from '../errors/failure.ts'
import { loadUpload, openLink, type Opened } from '../links/open-link.ts'
import type { Program } from '../program/program.ts'
import { canAsk, confirm } from '../interactive/ask.ts'

const args = {
  link: {
    type: 'positional',
    required: true,
    description: 'Link or id of an upload, or the link of one of its files',
  },
  yes: { type: 'boolean', alias: 'y', description: 'Do not ask' },
  password: {
    type: 'string',
    alias: 'p',
    valueHint: '[LOGIN:]PASSWORD',
    description: 'Password of a protected upload',
  },
  ...serverArguments,
  ...outputArguments,
} as const satisfies ArgsDef

export const rm = (program: Program) =>
  defineCommand({
    meta: {
      name: 'rm',
      description:
        'Delete an upload or one of its files: your own, with an admin link, or if it is removable',
    },
    args,
    async run({ args: given }) {
      const opened = await openLink(program, given, given.link)
      const { upload, access } = await loadUpload(program, opened)
      const file = fileOf(upload, opened)
      const what = file === undefined ? `upload ${upload.id}` : printable(file.fileName)
      if (given.yes !== true && canAsk(program) && !(await confirm(program, `Delete ${what}?`)))
        throw new Failure('nothing was deleted')
      if (file === undefined) {
        await opened.client.removeUpload(upload.id, access)
        await removeFromHistory(program, opened.base, upload.id)
      } else await opened.client.removeFile(upload.id, file, access)
      const removed = { upload: upload.id, ...(file !== undefined && { file: file.id, name: file.fileName }) }
      if (given.json === true) program.print(printableJson({ removed }))
      else if (given.quiet !== true) program.print(`deleted ${what}`)
    },
  })

function fileOf({ files }: Upload, { link }: Opened) {
  if (link.fileID === undefined) return undefined
  const file = files.find(({ id }) => id === link.fileID)
  if (file === undefined) throw new Failure('the upload has no such file')
  return file
}
