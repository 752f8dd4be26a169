import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineCommand } from 'citty'
import { useUploadHint } from '../../arguments/option-hint.ts'
import { refuseRecipients } from '../../encryption/recipient-among-files.ts'
import { usageFailure } from '../../errors/failure.ts'
import type { Program } from '../../program/program.ts'
import { sendArgsDef } from '../../requests/send-args.ts'

export const send = (program: Program) =>
  defineCommand({
    meta: {
      name: 'send',
      description:
        'Send files to someone who asks for them with a link (svc request), encrypted for the key that the link names',
    },
    args: sendArgsDef,
    async run({ args }) {
      const [link = '', ...paths] = args._
      if (existsSync(resolve(program.directory, link)))
        throw usageFailure(`${link} is a file, not the link of a request: ${useUploadHint}`)
      if (paths.length === 0) throw usageFailure('name the files to send: svc send LINK FILE…')
      await refuseRecipients(
        program,
        paths,
        () => 'svc send encrypts for the owner of the request, and for no one else',
      )
      const { sendToRequest } = await import('../../requests/send-to-request.ts')
      await sendToRequest(program, args, link, paths)
    },
  })
